package dev.cagewright.policy.argv;

import dev.cagewright.policy.argv.Grammar.Token;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// `git`: global options, then a subcommand with options of its own, several of which start programs.
///
/// Settings given with `-c` are allowed by name, since most of git's settings can name a program.
final class Git implements Dialect {
    private static final String PROGRAM = "a program to run";

    private static final Grammar GLOBAL = Grammar.of(Grammar.Order.OPTIONS_FIRST, Grammar.Abbreviation.REFUSED, """
            v h p P C: c: version help paginate no-pager exec-path? git-dir= work-tree= namespace= super-prefix=
            config-env= attr-source= list-cmds= bare no-replace-objects no-lazy-fetch no-optional-locks no-advice
            literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs html-path man-path info-path""");

    private static final Pattern HARMLESS_SETTING = Pattern.compile("""
            (?i)user\\.(name|email)|color\\..*|advice\\..*|diff\\.(algorithm|renames|renamelimit|mnemonicprefix|noprefix)\
            |core\\.(quotepath|autocrlf|eol|safecrlf|filemode|longpaths|symlinks|ignorecase|precomposeunicode|abbrev|bare\
            |commentchar|compression|preloadindex|untrackedcache)|init\\.defaultbranch|safe\\.directory|gc\\.auto\
            |commit\\.(gpgsign|verbose|status)|tag\\.(gpgsign|sort)|pull\\.(rebase|ff)|push\\.(default|autosetupremote)\
            |fetch\\.(prune|parallel|recursesubmodules)|merge\\.(ff|conflictstyle|stat)|rebase\\.(autostash|autosquash)\
            |log\\.(date|decorate|showsignature)|status\\..*|column\\..*|pack\\.(threads|windowmemory)|http\\.(version\
            |postbuffer|lowspeedlimit|lowspeedtime)|transfer\\.fsckobjects|index\\.(threads|version)|feature\\..*\
            |i18n\\..*|rerere\\.(enabled|autoupdate)|submodule\\.recurse|checkout\\.(defaultremote|workers|guess)\
            |clone\\.defaultremotename|maintenance\\.auto""");

    private static final Map<String, Dialect> SUBCOMMANDS = subcommands();

    @Override
    public Reading read(Command command) {
        for (Token token : GLOBAL.tokens(command)) {
            switch (token) {
                case Token.Option option -> {
                    var what = trouble(option);
                    if (!what.isEmpty()) {
                        return new Reading.Code(option.at(), "git takes " + what + " (" + option.dashed() + ")");
                    }
                }
                case Token.Operand operand -> {
                    return subcommand(command.startingAt(operand.at()));
                }
            }
        }
        return Reading.PLAIN;
    }

    private static String trouble(Token.Option option) {
        var value = option.value();
        if (option.isOneOf("c")) {
            return value == null || isHarmless(value) ? "" : "a setting that can name a program";
        }
        if (option.isOneOf("config-env")) {
            return "a setting out of a variable";
        }
        if (option.isOneOf("exec-path")) {
            return value == null ? "" : "a folder of programs to run";
        }
        return option.known() == Grammar.Known.YES ? "" : "an option that is not known here";
    }

    private static boolean isHarmless(String setting) {
        int equals = setting.indexOf('=');
        var key = equals < 0 ? setting : setting.substring(0, equals);
        return HARMLESS_SETTING.matcher(key).matches();
    }

    private static Reading subcommand(Command command) {
        for (int i = command.from() + 1; i < command.to(); i++) {
            if (command.word(i).startsWith("ext::") || command.word(i).startsWith("fd::")) {
                return new Reading.Code(
                        i,
                        "git takes a transport that is a program ("
                                + command.word(i).split(":", 2)[0] + "::)");
            }
        }
        var dialect = SUBCOMMANDS.get(command.word(command.from()));
        if (dialect == null) {
            return Reading.PLAIN;
        }
        return switch (dialect.read(command)) {
            case Reading.Code code -> new Reading.Code(code.at(), "git " + code.what());
            case Reading.Plain plain -> plain;
            case Reading.Starts starts -> starts;
        };
    }

    private static Map<String, Dialect> subcommands() {
        var all = new HashMap<String, Dialect>();
        all.put("grep", DeniedOptions.of("efABCm", PROGRAM, "O open-files-in-pager"));
        var shown = DeniedOptions.of("GSLOUln", "a program or file of its own choice", "ext-diff output");
        for (String name : List.of(
                "diff",
                "log",
                "show",
                "diff-tree",
                "diff-index",
                "diff-files",
                "whatchanged",
                "reflog",
                "stash",
                "range-diff")) {
            all.put(name, shown);
        }
        all.put("format-patch", DeniedOptions.of("osv", PROGRAM, "ext-diff"));
        all.put("rebase", DeniedOptions.of("sXC", PROGRAM, "x exec"));
        all.put("difftool", DeniedOptions.of("t", PROGRAM, "x extcmd"));
        all.put("archive", DeniedOptions.of("o", PROGRAM, "exec"));
        all.put(
                "clone",
                new DeniedOptions(
                        "obj",
                        Map.of(
                                "u",
                                PROGRAM,
                                "upload-pack",
                                PROGRAM,
                                "c",
                                "a setting that can name a program",
                                "config",
                                "a setting that can name a program",
                                "template",
                                "a folder of hooks")));
        all.put("init", DeniedOptions.of("b", "a folder of hooks", "template"));
        for (String name : List.of("fetch", "pull", "ls-remote", "fetch-pack", "remote")) {
            all.put(name, DeniedOptions.of("ojsXt", PROGRAM, "upload-pack exec"));
        }
        all.put("push", DeniedOptions.of("o", PROGRAM, "receive-pack exec"));
        all.put("send-pack", DeniedOptions.of("", PROGRAM, "receive-pack exec"));
        all.put("daemon", DeniedOptions.of("", PROGRAM, "access-hook"));
        all.put("bisect", behind("run"));
        all.put("submodule", refusing("foreach"));
        all.put("filter-branch", Wrappers.code("filters for a shell"));
        all.put("send-email", Wrappers.code("programs to send with"));
        all.put("instaweb", Wrappers.code("a server to start"));
        all.put("for-each-repo", Wrappers.code("commands to run"));
        all.put("shell", Wrappers.code("a command string"));
        all.put("remote-ext", Wrappers.code(PROGRAM));
        return Map.copyOf(all);
    }

    /// `git bisect run PROGRAM ...`
    private static Dialect behind(String verb) {
        return command -> {
            int at = command.from() + 1;
            return at + 1 < command.to() && command.word(at).equals(verb)
                    ? new Reading.Starts(List.of(command.startingAt(at + 1)))
                    : Reading.PLAIN;
        };
    }

    /// `git submodule foreach ...`, with options before the verb.
    private static Dialect refusing(String verb) {
        return command -> {
            for (int i = command.from() + 1; i < command.to(); i++) {
                if (command.word(i).equals(verb)) {
                    return new Reading.Code(
                            i, command.word(command.from()) + " takes a command for a shell (" + verb + ")");
                }
            }
            return Reading.PLAIN;
        };
    }
}
