package dev.cagewright.policy.argv;

import java.util.HashMap;
import java.util.Map;

/// Tools whose work is not running code, but that have an option for it, by name.
final class Tools {
    private static final String PROGRAM = "a program to run";
    private static final String COMMAND = "a command for a shell";

    private Tools() {}

    static Map<String, Dialect> byName() {
        var all = new HashMap<String, Dialect>();
        all.put("git", new Git());
        all.put("sed", new Sed());
        all.put("gsed", new Sed());
        for (String awk :
                new String[] {"awk", "gawk", "mawk", "nawk", "original-awk", "bwk", "goawk", "frawk", "igawk"}) {
            all.put(awk, Wrappers.code("a program text that is code and can start a shell"));
        }
        all.put("sort", DeniedOptions.of("koStT", PROGRAM, "compress-program"));
        all.put("split", DeniedOptions.of("abCln", COMMAND, "filter"));
        all.put("tar", new Tar());
        all.put("bsdtar", new Tar());
        all.put("rsync", DeniedOptions.of("fBTM", PROGRAM, "e rsh rsync-path"));
        all.put("ssh", DeniedOptions.of("BbcDEIiJLlmOpQRSWw", PROGRAM, "o F"));
        all.put("scp", DeniedOptions.of("cDiJlPX", PROGRAM, "o F S"));
        all.put("sftp", DeniedOptions.of("BbcDiJlPRsX", PROGRAM, "o F S"));
        all.put("man", DeniedOptions.of("CRLmMSsepE", PROGRAM, "P pager H html preprocessor"));
        all.put("make", new Make());
        all.put("gmake", new Make());
        all.put("zip", DeniedOptions.of("bnOPstx", PROGRAM, "TT unzip-command"));
        all.put(
                "wget",
                DeniedOptions.of("oaitOTwQPUlADRIXB", "settings and programs of its own", "e execute use-askpass"));
        all.put(
                "gdb",
                DeniedOptions.of(
                        "dbpcs", "commands of its own language", "ex eval-command command x ix init-command iex"));
        for (String runner : new String[] {"npm", "npx", "pnpm", "pnpx"}) {
            all.put(runner, DeniedOptions.of("C", COMMAND, "c call shell-mode script-shell"));
        }
        all.put("cargo", DeniedOptions.of("pjF", "a setting that can name a program", "config"));
        editors(all);
        return all;
    }

    private static void editors(Map<String, Dialect> all) {
        for (String vi : new String[] {"vi", "vim", "nvim", "ex", "view", "rvim", "vimdiff", "gvim"}) {
            all.put(vi, new Editor());
        }
        for (String emacs : new String[] {"emacs", "emacsclient", "mg", "zile"}) {
            all.put(
                    emacs,
                    DeniedOptions.of(
                            "dTufn", "code of its own language", "e l f eval execute load funcall script batch"));
        }
    }

    /// `vi` and its kin: `-c`, `--cmd`, `-S`, `+COMMAND`.
    private static final class Editor implements Dialect {
        private static final DeniedOptions OPTIONS =
                DeniedOptions.of("TuUwWitP", "commands of its own language", "c S s cmd lua luado");

        @Override
        public Reading read(Command command) {
            for (int i = command.from() + 1;
                    i < command.to() && !command.word(i).equals("--");
                    i++) {
                if (command.word(i).matches("\\+[^0-9].*")) {
                    return new Reading.Code(i, command.program().base() + " takes commands of its own language (+)");
                }
            }
            return OPTIONS.read(command);
        }
    }

    /// `make`: text that is read as a makefile, another shell.
    private static final class Make implements Dialect {
        private static final DeniedOptions OPTIONS =
                DeniedOptions.of("CfIjloW", "text that is read as a makefile", "E eval");

        @Override
        public Reading read(Command command) {
            for (int i = command.from() + 1; i < command.to(); i++) {
                if (command.word(i).matches("(?s)\\.?SHELL(FLAGS)?[ :+?!]*=.*")) {
                    return new Reading.Code(i, "make takes another shell (SHELL=)");
                }
            }
            return OPTIONS.read(command);
        }
    }

    /// `tar`, whose first element may be a bundle without a dash.
    private static final class Tar implements Dialect {
        private static final DeniedOptions OPTIONS = DeniedOptions.of("bCfgHKLNTVX", PROGRAM, """
                I F to-command use-compress-program checkpoint-action info-script new-volume-script rmt-command \
                rsh-command""");

        @Override
        public Reading read(Command command) {
            int first = command.from() + 1;
            if (first < command.to() && command.word(first).matches("[A-Za-z]*[IF].*")) {
                return new Reading.Code(first, "tar takes " + PROGRAM + " (" + command.word(first) + ")");
            }
            return OPTIONS.read(command);
        }
    }
}
