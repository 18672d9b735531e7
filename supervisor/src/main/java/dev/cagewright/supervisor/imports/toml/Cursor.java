package dev.cagewright.supervisor.imports.toml;

import dev.cagewright.supervisor.policyfile.yaml.Position;
import dev.cagewright.supervisor.policyfile.yaml.Quoted;

/// A place in a text that moves forward. One thread.
final class Cursor {
    private final String text;
    private int at;
    private int line = 1;
    private int lineStart;

    Cursor(String text) {
        this.text = text.replace("\r\n", "\n");
    }

    boolean isAtEnd() {
        return at >= text.length();
    }

    /// The character here; NUL at the end.
    char peek() {
        return peek(0);
    }

    char peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : '\0';
    }

    char next() {
        char c = peek();
        at++;
        if (c == '\n') {
            line++;
            lineStart = at;
        }
        return c;
    }

    boolean sees(String word) {
        return text.startsWith(word, at);
    }

    /// Goes past `word` if it stands here.
    boolean takes(String word) {
        if (!sees(word)) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            next();
        }
        return true;
    }

    void blanks() {
        while (peek() == ' ' || peek() == '\t') {
            next();
        }
    }

    /// Blanks, line ends and comments.
    void space() throws TomlException {
        while (true) {
            blanks();
            if (peek() == '#') {
                comment();
            } else if (peek() == '\n') {
                next();
            } else {
                return;
            }
        }
    }

    /// Nothing but a comment may follow in this line.
    void endOfLine() throws TomlException {
        blanks();
        if (peek() == '#') {
            comment();
        }
        if (!isAtEnd() && peek() != '\n') {
            throw wrong("what follows the value in this line is not read: " + rest());
        }
    }

    private void comment() throws TomlException {
        while (!isAtEnd() && peek() != '\n') {
            if (isControl(next())) {
                throw wrong("a control character in a comment");
            }
        }
    }

    static boolean isControl(char c) {
        return (c < ' ' && c != '\t') || c == 0x7f;
    }

    /// What stands between here and the end of the line, shortened.
    String rest() {
        int end = text.indexOf('\n', at);
        return Quoted.of(text.substring(Math.min(at, text.length()), end < 0 ? text.length() : end));
    }

    Position position() {
        return new Position(line, text.codePointCount(lineStart, Math.min(at, text.length())) + 1);
    }

    TomlException wrong(String what) {
        return new TomlException(position(), what);
    }
}
