package dev.cagewright.supervisor.imports.toml;

import dev.cagewright.supervisor.policyfile.yaml.StrictReader;

/// The four kinds of strings of TOML. One text, one thread.
final class Strings {
    private final Cursor in;

    Strings(Cursor in) {
        this.in = in;
    }

    /// What the string that begins here says.
    String string() throws TomlException {
        if (in.takes("\"\"\"")) {
            return lines('"');
        }
        if (in.takes("'''")) {
            return lines('\'');
        }
        char quote = in.next();
        var text = new StringBuilder();
        while (in.peek() != quote) {
            if (in.isAtEnd() || in.peek() == '\n') {
                throw in.wrong("a string without its end in this line");
            }
            add(text, quote);
        }
        in.next();
        return text.toString();
    }

    private String lines(char quote) throws TomlException {
        var end = String.valueOf(quote).repeat(3);
        var text = new StringBuilder();
        in.takes("\n");
        while (!in.takes(end)) {
            if (in.isAtEnd()) {
                throw in.wrong("a string without its end");
            }
            if (quote == '"' && in.peek() == '\\' && continues()) {
                continue;
            }
            add(text, quote);
        }
        for (int more = 0; more < 2 && in.peek() == quote; more++) {
            text.append(in.next());
        }
        return text.toString();
    }

    /// Goes past a backslash at the end of a line and the blanks behind it, if it is one.
    private boolean continues() {
        int ahead = 1;
        while (in.peek(ahead) == ' ' || in.peek(ahead) == '\t') {
            ahead++;
        }
        if (in.peek(ahead) != '\n') {
            return false;
        }
        in.next();
        while (in.peek() == ' ' || in.peek() == '\t' || in.peek() == '\n') {
            in.next();
        }
        return true;
    }

    private void add(StringBuilder text, char quote) throws TomlException {
        char c = in.next();
        if (c == '\\' && quote == '"') {
            text.appendCodePoint(escaped());
        } else if (Cursor.isControl(c) && c != '\n') {
            throw in.wrong("a control character in a string");
        } else {
            text.append(c);
        }
        if (text.length() > StrictReader.MAX_SCALAR) {
            throw in.wrong("a string of more than " + StrictReader.MAX_SCALAR + " characters");
        }
    }

    private int escaped() throws TomlException {
        char c = in.next();
        return switch (c) {
            case 'b' -> '\b';
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'f' -> '\f';
            case 'r' -> '\r';
            case '"', '\\' -> c;
            case 'u' -> point(4);
            case 'U' -> point(8);
            default -> throw in.wrong("an escape that TOML has not");
        };
    }

    private int point(int digits) throws TomlException {
        long point = 0;
        for (int i = 0; i < digits; i++) {
            int digit = Character.digit(in.peek(), 16);
            if (digit < 0 || in.peek() > 'f') {
                throw in.wrong("an escape with fewer than " + digits + " digits");
            }
            in.next();
            point = point * 16 + digit;
        }
        if (point > Character.MAX_CODE_POINT || (point >= 0xd800 && point <= 0xdfff)) {
            throw in.wrong("an escape that names no character");
        }
        return (int) point;
    }
}
