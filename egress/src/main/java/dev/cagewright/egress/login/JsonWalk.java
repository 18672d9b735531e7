package dev.cagewright.egress.login;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/// Walks over one value of JSON (RFC 8259) in bytes, and tells of its strings where they stand, so that no text is made
/// of what may be a token. One that is not JSON in every letter, has a name twice in one object, or is deeper than
/// [#DEEPEST] is none.
final class JsonWalk {
    static final int DEEPEST = 32;

    private final byte[] text;
    private final Listener listener;
    private int at;

    /// Hears of members.
    interface Listener {
        /// A member whose value is a string.
        ///
        /// @param depth 1 for those of the outermost object
        /// @param from behind the first quote
        /// @param to before the last one
        void string(String name, int depth, int from, int to) throws RefusedAnswerException;

        /// A member whose value is an object, a list, a number or a truth value.
        void other(String name, int depth) throws RefusedAnswerException;
    }

    private JsonWalk(byte[] text, Listener listener) {
        this.text = text;
        this.listener = listener;
    }

    /// Walks over all of it.
    ///
    /// @throws RefusedAnswerException if it is no JSON, or the listener throws it
    static void over(byte[] text, Listener listener) throws RefusedAnswerException {
        var walk = new JsonWalk(text, listener);
        walk.value("", 0);
        walk.blanks();
        if (walk.at != text.length) {
            throw broken();
        }
    }

    private static RefusedAnswerException broken() {
        return new RefusedAnswerException(
                "unreadable", "the answer of the token end point is no JSON that can be read in one way only");
    }

    private void blanks() {
        while (at < text.length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
            at++;
        }
    }

    private int next() throws RefusedAnswerException {
        blanks();
        if (at >= text.length) {
            throw broken();
        }
        return text[at];
    }

    private void take(char wanted) throws RefusedAnswerException {
        if (next() != wanted) {
            throw broken();
        }
        at++;
    }

    /// @param name of the member whose value it is; that of the list for an element
    private void value(String name, int depth) throws RefusedAnswerException {
        if (depth > DEEPEST) {
            throw broken();
        }
        switch (next()) {
            case '{' -> {
                tellOther(name, depth);
                object(depth + 1);
            }
            case '[' -> {
                tellOther(name, depth);
                list(name, depth + 1);
            }
            case '"' -> {
                int from = at + 1;
                int to = string();
                if (depth > 0) {
                    listener.string(name, depth, from, to);
                }
            }
            case 'n' -> word("null");
            default -> {
                tellOther(name, depth);
                scalar();
            }
        }
    }

    private void tellOther(String name, int depth) throws RefusedAnswerException {
        if (depth > 0) {
            listener.other(name, depth);
        }
    }

    private void object(int depth) throws RefusedAnswerException {
        take('{');
        Set<String> names = new HashSet<>();
        if (next() == '}') {
            at++;
            return;
        }
        while (true) {
            if (next() != '"') {
                throw broken();
            }
            int from = at + 1;
            var name = new String(unescaped(text, from, string()), StandardCharsets.UTF_8);
            if (!names.add(name)) {
                throw broken();
            }
            take(':');
            value(name, depth);
            if (next() == '}') {
                at++;
                return;
            }
            take(',');
        }
    }

    private void list(String name, int depth) throws RefusedAnswerException {
        take('[');
        if (next() == ']') {
            at++;
            return;
        }
        while (true) {
            value(name, depth);
            if (next() == ']') {
                at++;
                return;
            }
            take(',');
        }
    }

    /// Leaves it behind, and says where its last quote stands.
    private int string() throws RefusedAnswerException {
        at++;
        while (at < text.length && text[at] != '"') {
            if ((text[at] & 0xff) < ' ') {
                throw broken();
            }
            at += text[at] == '\\' ? 2 : 1;
        }
        if (at >= text.length) {
            throw broken();
        }
        return at++;
    }

    private void scalar() throws RefusedAnswerException {
        switch (text[at]) {
            case 't' -> word("true");
            case 'f' -> word("false");
            default -> number();
        }
    }

    private void word(String word) throws RefusedAnswerException {
        for (int i = 0; i < word.length(); i++) {
            if (at >= text.length || text[at++] != word.charAt(i)) {
                throw broken();
            }
        }
    }

    private void number() throws RefusedAnswerException {
        int from = at;
        while (at < text.length && "+-.eE0123456789".indexOf(text[at]) >= 0) {
            at++;
        }
        var number = new String(text, from, at - from, StandardCharsets.US_ASCII);
        if (!number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
            throw broken();
        }
    }

    /// What a string means.
    ///
    /// @throws RefusedAnswerException if it has an escape that there is not
    static byte[] unescaped(byte[] text, int from, int to) throws RefusedAnswerException {
        var out = new ByteArrayOutputStream(to - from);
        int i = from;
        while (i < to) {
            if (text[i] != '\\') {
                out.write(text[i++]);
                continue;
            }
            int escape = text[i + 1];
            int plain = "\"\\/bfnrt".indexOf(escape);
            if (plain >= 0) {
                out.write("\"\\/\b\f\n\r\t".charAt(plain));
                i += 2;
            } else if (escape == 'u' && i + 6 <= to) {
                out.writeBytes(String.valueOf((char) hex(text, i + 2)).getBytes(StandardCharsets.UTF_8));
                i += 6;
            } else {
                throw broken();
            }
        }
        return out.toByteArray();
    }

    private static int hex(byte[] text, int from) throws RefusedAnswerException {
        int value = 0;
        for (int i = from; i < from + 4; i++) {
            int digit = Character.digit(text[i], 16);
            if (digit < 0) {
                throw broken();
            }
            value = value * 16 + digit;
        }
        return value;
    }
}
