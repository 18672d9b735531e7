package dev.cagewright.policy.argv;

import java.util.Set;

/// Shells: no command string, no script file, no start-up file. What is left is an interactive shell.
///
/// A bundle is read letter by letter, since `-o` and `-O` take the *next* element wherever they stand in it.
final class Shell implements Dialect {
    static final Set<String> NAMES = Set.of(
            "sh", "bash", "rbash", "dash", "ash", "zsh", "rzsh", "ksh", "ksh93", "rksh", "mksh", "pdksh", "oksh",
            "yash", "posh", "fish", "csh", "tcsh", "pwsh", "nu", "xonsh", "elvish", "hush");

    @Override
    public boolean takesCode() {
        return true;
    }

    @Override
    public Reading read(Command command) {
        var shell = command.program().base();
        int i = command.from() + 1;
        while (i < command.to()) {
            var word = command.word(i);
            var code = codeIn(word, shell);
            if (!code.isEmpty()) {
                return new Reading.Code(i, shell + " takes " + code);
            }
            if (word.equals("--") || word.equals("-")) {
                i++;
                return i < command.to() ? script(i, shell) : Reading.PLAIN;
            }
            if (!isOption(word)) {
                return script(i, shell);
            }
            i += 1 + valuesBehind(word);
        }
        return Reading.PLAIN;
    }

    private static Reading script(int at, String shell) {
        return new Reading.Code(at, shell + " takes a script file");
    }

    private static boolean isOption(String word) {
        return word.length() > 1 && (word.charAt(0) == '-' || word.charAt(0) == '+');
    }

    /// What code the option `word` brings, or nothing.
    static String codeIn(String word, String shell) {
        if (!isOption(word)) {
            return "";
        }
        if (word.startsWith("--")) {
            int equals = word.indexOf('=');
            return codeInLong(word.substring(2, equals < 0 ? word.length() : equals));
        }
        var letters = word.substring(1);
        if (letters.indexOf('c') >= 0 || (shell.equals("fish") && letters.indexOf('C') >= 0)) {
            return "a command string (" + word.charAt(0) + "c)";
        }
        if (shell.equals("pwsh") && letters.matches("(?i)(f|fi|fil|file|e|ec|en.*|command.*)")) {
            return "a command string (-Command)";
        }
        return letters.indexOf('s') >= 0 && word.charAt(0) == '-' ? "commands from its standard input (-s)" : "";
    }

    private static String codeInLong(String name) {
        if (name.isEmpty()) {
            return "";
        }
        if ("rcfile".startsWith(name) || "init-file".startsWith(name)) {
            return "a start-up file (--" + name + ")";
        }
        return "command".startsWith(name) || "init-command".startsWith(name) ? "a command string (--" + name + ")" : "";
    }

    private static int valuesBehind(String word) {
        if (word.equals("--emulate") || word.equals("--profile") || word.equals("--features")) {
            return 1;
        }
        if (word.startsWith("--")) {
            return 0;
        }
        return (int) word.chars().filter(c -> c == 'o' || c == 'O').count();
    }
}
