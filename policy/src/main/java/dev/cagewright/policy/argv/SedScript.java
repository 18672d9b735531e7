package dev.cagewright.policy.argv;

/// A sed script, scanned for commands that run programs (`e`, `s///e`) or write files of their own naming (`w`,
/// `W`, `s///w`). POSIX and older programs disagree whether a delimiter inside `[...]` ends an expression, so both
/// are read, and either can condemn.
final class SedScript {
    private static final String RUNS = "runs a command (e)";
    private static final String WRITES = "writes a file (w)";
    private static final String UNREADABLE = "is not understood here";

    private enum Brackets {
        SHIELD,
        PLAIN
    }

    /// The script is not sed, as far as this reading goes.
    private static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1;
    }

    private final String text;
    private final Brackets brackets;
    private int next;

    private SedScript(String text, Brackets brackets) {
        this.text = text;
        this.brackets = brackets;
    }

    /// What the script does beyond editing, as words behind "a script that", or nothing.
    static String codeIn(String text) {
        var one = read(text, Brackets.SHIELD);
        var other = read(text, Brackets.PLAIN);
        if (one.equals(UNREADABLE)) {
            return other;
        }
        return one.isEmpty() && !other.equals(UNREADABLE) ? other : one;
    }

    private static String read(String text, Brackets brackets) {
        try {
            return new SedScript(text, brackets).commands();
        } catch (Unreadable _) {
            return UNREADABLE;
        }
    }

    private String commands() throws Unreadable {
        while (true) {
            skip(" \t\n\r\f\u000b;");
            if (isAtEnd()) {
                return "";
            }
            addresses();
            var code = command(take());
            if (!code.isEmpty()) {
                return code;
            }
        }
    }

    private void addresses() throws Unreadable {
        if (address()) {
            skip(" \t");
            if (peekIs(',')) {
                next++;
                skip(" \t");
                if (peekIs('+') || peekIs('~')) {
                    next++;
                }
                if (!address()) {
                    throw new Unreadable();
                }
            }
        }
        skip(" \t!");
    }

    private boolean address() throws Unreadable {
        if (isAtEnd()) {
            return false;
        }
        char c = text.charAt(next);
        if (c >= '0' && c <= '9') {
            skip("0123456789~");
        } else if (c == '$') {
            next++;
        } else if (c == '/') {
            next++;
            expression('/');
            skip("IM");
        } else if (c == '\\') {
            next++;
            expression(take());
            skip("IM");
        } else {
            return false;
        }
        return true;
    }

    private String command(char command) throws Unreadable {
        return switch (command) {
            case '{', '}', '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', 'F' -> "";
            case '#', 'r', 'R', 'v' -> afterLine();
            case 'a', 'i', 'c' -> afterText();
            case ':', 'b', 't', 'T' -> afterLabel();
            case 'q', 'Q', 'l', 'L' -> afterNumber();
            case 'y' -> afterTranslation();
            case 's' -> substitution();
            case 'e' -> RUNS;
            case 'w', 'W' -> written();
            default -> throw new Unreadable();
        };
    }

    private String afterNumber() {
        skip(" \t0123456789");
        return "";
    }

    private String substitution() throws Unreadable {
        char delimiter = take();
        expression(delimiter);
        replacement(delimiter);
        while (!isAtEnd()) {
            char flag = text.charAt(next);
            if (flag == 'e') {
                return RUNS;
            }
            if (flag == 'w') {
                next++;
                return written();
            }
            if ("0123456789gpiImM".indexOf(flag) < 0) {
                return "";
            }
            next++;
        }
        return "";
    }

    private String written() {
        var file = line().strip();
        return file.equals("/dev/stdout") || file.equals("/dev/stderr") ? "" : WRITES;
    }

    /// The end of a regular expression, delimiter included.
    private void expression(char delimiter) throws Unreadable {
        if (delimiter == '\n' || delimiter == '\\') {
            throw new Unreadable();
        }
        while (true) {
            char c = take();
            if (c == delimiter) {
                return;
            }
            if (c == '\\') {
                take();
            } else if (c == '[' && brackets == Brackets.SHIELD) {
                bracket();
            }
        }
    }

    private void bracket() throws Unreadable {
        if (peekIs('^')) {
            next++;
        }
        if (peekIs(']')) {
            next++;
        }
        while (take() != ']') {
            char before = text.charAt(next - 1);
            if (before == '[' && !isAtEnd() && ":.=".indexOf(text.charAt(next)) >= 0) {
                int end = text.indexOf(text.charAt(next) + "]", next + 1);
                if (end >= 0) {
                    next = end + 2;
                }
            }
        }
    }

    private void replacement(char delimiter) throws Unreadable {
        while (true) {
            char c = take();
            if (c == delimiter) {
                return;
            }
            if (c == '\\') {
                take();
            }
        }
    }

    private String afterTranslation() throws Unreadable {
        char delimiter = take();
        replacement(delimiter);
        replacement(delimiter);
        return "";
    }

    private String afterLabel() {
        skip(" \t");
        while (!isAtEnd() && " \t\n;}".indexOf(text.charAt(next)) < 0) {
            next++;
        }
        return "";
    }

    private String afterLine() {
        line();
        return "";
    }

    /// Text ends at the first line that no backslash carries on.
    private String afterText() {
        while (!isAtEnd()) {
            char c = text.charAt(next++);
            if (c == '\n') {
                return "";
            }
            if (c == '\\' && !isAtEnd()) {
                next++;
            }
        }
        return "";
    }

    private String line() {
        int end = text.indexOf('\n', next);
        var line = text.substring(next, end < 0 ? text.length() : end);
        next = end < 0 ? text.length() : end + 1;
        return line;
    }

    private void skip(String characters) {
        while (!isAtEnd() && characters.indexOf(text.charAt(next)) >= 0) {
            next++;
        }
    }

    private boolean peekIs(char wanted) {
        return !isAtEnd() && text.charAt(next) == wanted;
    }

    private boolean isAtEnd() {
        return next >= text.length();
    }

    private char take() throws Unreadable {
        if (isAtEnd()) {
            throw new Unreadable();
        }
        return text.charAt(next++);
    }
}
