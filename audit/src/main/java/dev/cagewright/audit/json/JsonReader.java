package dev.cagewright.audit.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// Reads one value after the other from UTF-8. Bounded in depth; recursion follows the depth. Not safe for several
/// threads.
final class JsonReader {
    /// Whether blanks may stand between tokens.
    enum Spacing {
        ALLOWED,
        REFUSED
    }

    private final byte[] text;
    private final int end;
    private final Spacing spacing;
    private int at;
    private int depth;

    JsonReader(byte[] text, int from, int to, Spacing spacing) {
        this.text = text;
        this.at = from;
        this.end = to;
        this.spacing = spacing;
    }

    JsonValue value() throws JsonSyntaxException {
        blanks();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> new JsonString(string());
            case 't' -> word("true", new JsonBoolean(true));
            case 'f' -> word("false", new JsonBoolean(false));
            case 'n' -> word("null", new JsonNull());
            default -> number();
        };
    }

    /// Nothing but blanks may follow.
    void end() throws JsonSyntaxException {
        blanks();
        if (at < end) {
            throw wrong("there is more text behind the value");
        }
    }

    private JsonObject object() throws JsonSyntaxException {
        enter();
        var members = new LinkedHashMap<String, JsonValue>();
        blanks();
        if (peek() == '}') {
            at++;
        } else {
            do {
                member(members);
            } while (more('}'));
        }
        depth--;
        return new JsonObject(members);
    }

    private void member(Map<String, JsonValue> members) throws JsonSyntaxException {
        blanks();
        int nameAt = at;
        if (peek() != '"') {
            throw wrong("expected a member's name in double quotes");
        }
        var name = string();
        blanks();
        if (peek() != ':') {
            throw wrong("expected ':'");
        }
        at++;
        if (members.putIfAbsent(name, value()) != null) {
            throw new JsonSyntaxException(nameAt, "duplicate member " + new JsonString(name).brief());
        }
    }

    private JsonArray array() throws JsonSyntaxException {
        enter();
        var items = new ArrayList<JsonValue>();
        blanks();
        if (peek() == ']') {
            at++;
        } else {
            do {
                items.add(value());
            } while (more(']'));
        }
        depth--;
        return new JsonArray(items);
    }

    private void enter() throws JsonSyntaxException {
        if (++depth > JsonValue.MAX_DEPTH) {
            throw wrong("nested deeper than " + JsonValue.MAX_DEPTH);
        }
        at++;
    }

    private boolean more(char close) throws JsonSyntaxException {
        blanks();
        int c = peek();
        if (c != ',' && c != close) {
            throw wrong("expected ',' or '" + close + "'");
        }
        at++;
        return c == ',';
    }

    private JsonValue word(String word, JsonValue value) throws JsonSyntaxException {
        for (int i = 0; i < word.length(); i++) {
            if (peek() != word.charAt(i)) {
                throw wrong("expected " + word);
            }
            at++;
        }
        return value;
    }

    private JsonNumber number() throws JsonSyntaxException {
        int from = at;
        while (at < end && isNumberPart(text[at])) {
            at++;
        }
        if (at - from > JsonNumber.MAX_LENGTH) {
            throw new JsonSyntaxException(from, "a number of more than " + JsonNumber.MAX_LENGTH + " characters");
        }
        try {
            return new JsonNumber(new String(text, from, at - from, StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException e) {
            at = from;
            var wrong = wrong("expected a value");
            wrong.initCause(e);
            throw wrong;
        }
    }

    private static boolean isNumberPart(byte c) {
        return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
    }

    private String string() throws JsonSyntaxException {
        int from = ++at;
        while (at < end && text[at] >= 0x20 && text[at] != '"' && text[at] != '\\') {
            at++;
        }
        if (at < end && text[at] == '"') {
            return new String(text, from, at++ - from, StandardCharsets.ISO_8859_1);
        }
        var built = new StringBuilder(Math.max(64, 2 * (at - from)));
        built.append(new String(text, from, at - from, StandardCharsets.ISO_8859_1));
        while (peek() != '"') {
            character(built);
        }
        at++;
        return built.toString();
    }

    private void character(StringBuilder built) throws JsonSyntaxException {
        int c = text[at] & 0xff;
        if (c < 0x20) {
            throw wrong("a control character must be escaped");
        } else if (c == '\\') {
            at++;
            escape(built);
        } else if (c < 0x80) {
            built.append((char) c);
            at++;
        } else {
            built.appendCodePoint(multibyte(c));
        }
    }

    private void escape(StringBuilder built) throws JsonSyntaxException {
        int c = peek();
        at++;
        switch (c) {
            case '"', '\\', '/' -> built.append((char) c);
            case 'b' -> built.append('\b');
            case 'f' -> built.append('\f');
            case 'n' -> built.append('\n');
            case 'r' -> built.append('\r');
            case 't' -> built.append('\t');
            case 'u' -> built.append(hex4());
            default -> {
                at--;
                throw wrong("unknown escape");
            }
        }
    }

    private char hex4() throws JsonSyntaxException {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int c = peek();
            int digit = c < 0x80 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw wrong("expected four hexadecimal digits");
            }
            value = value << 4 | digit;
            at++;
        }
        return (char) value;
    }

    /// One character of two to four bytes, by RFC 3629: no overlong form, no surrogate, nothing above U+10FFFF.
    private int multibyte(int first) throws JsonSyntaxException {
        int length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
        if (first < 0xc2 || first > 0xf4 || at + length > end) {
            throw wrong("not valid UTF-8");
        }
        int point = first & (0x7f >> length);
        for (int i = 1; i < length; i++) {
            int next = text[at + i] & 0xff;
            if ((next & 0xc0) != 0x80) {
                throw wrong("not valid UTF-8");
            }
            point = point << 6 | (next & 0x3f);
        }
        boolean overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
        if (overlong || point > Character.MAX_CODE_POINT || (point >= 0xd800 && point <= 0xdfff)) {
            throw wrong("not valid UTF-8");
        }
        at += length;
        return point;
    }

    private void blanks() throws JsonSyntaxException {
        while (at < end && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
            if (spacing == Spacing.REFUSED) {
                throw wrong("no blanks are allowed here");
            }
            at++;
        }
    }

    private int peek() throws JsonSyntaxException {
        if (at >= end) {
            throw wrong("the text ends in the middle of a value");
        }
        return text[at] & 0xff;
    }

    private JsonSyntaxException wrong(String expected) {
        if (at >= end) {
            return new JsonSyntaxException(at, expected);
        }
        int c = text[at] & 0xff;
        var found = c > 0x20 && c < 0x7f ? "'" + (char) c + "'" : String.format(Locale.ROOT, "0x%02x", c);
        return new JsonSyntaxException(at, expected + ", found " + found);
    }
}
