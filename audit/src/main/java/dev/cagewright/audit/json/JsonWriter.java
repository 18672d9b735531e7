package dev.cagewright.audit.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Writes values, and fixed text between them, as UTF-8 into one buffer. Not safe for several threads.
public final class JsonWriter {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private byte[] buffer = new byte[512];
    private int length;
    private final int maxDepth;
    private int depth;

    /// An empty buffer.
    ///
    /// @param maxDepth how deep each value may nest
    public JsonWriter(int maxDepth) {
        this.maxDepth = maxDepth;
    }

    /// What was written so far.
    public byte[] bytes() {
        return Arrays.copyOf(buffer, length);
    }

    String text() {
        return new String(buffer, 0, length, StandardCharsets.UTF_8);
    }

    /// How many bytes were written so far.
    public int size() {
        return length;
    }

    /// Writes a member's name, or anything else that is fixed.
    public JsonWriter text(String ascii) {
        ascii(ascii);
        return this;
    }

    /// Writes bytes that are JSON already.
    public JsonWriter json(byte[] bytes) {
        reserve(bytes.length);
        System.arraycopy(bytes, 0, buffer, length, bytes.length);
        length += bytes.length;
        return this;
    }

    /// Writes one value.
    ///
    /// @throws IllegalStateException if it nests too deep; what was written until then stays
    public JsonWriter value(JsonValue value) {
        switch (value) {
            case JsonString(String text) -> quote(text);
            case JsonNumber(String text) -> ascii(text);
            case JsonBoolean(boolean truth) -> ascii(Boolean.toString(truth));
            case JsonNull _ -> ascii("null");
            case JsonArray array -> array(array);
            case JsonObject object -> object(object);
        }
        return this;
    }

    private void array(JsonArray array) {
        enter();
        put('[');
        boolean first = true;
        for (var item : array.items()) {
            if (!first) {
                put(',');
            }
            first = false;
            value(item);
        }
        put(']');
        depth--;
    }

    private void object(JsonObject object) {
        enter();
        put('{');
        boolean first = true;
        for (var member : object.members().entrySet()) {
            if (!first) {
                put(',');
            }
            first = false;
            quote(member.getKey());
            put(':');
            value(member.getValue());
        }
        put('}');
        depth--;
    }

    private void enter() {
        if (++depth > maxDepth) {
            throw new IllegalStateException("json: nested deeper than " + maxDepth);
        }
    }

    /// Writes a string in quotes.
    public JsonWriter string(String text) {
        quote(text);
        return this;
    }

    private void quote(String text) {
        reserve(text.length() + 2);
        put('"');
        int at = plain(text, 0);
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '"' || c == '\\') {
                put('\\');
                put(c);
                at++;
            } else {
                at += unusual(text, at);
            }
            at = plain(text, at);
        }
        put('"');
    }

    /// Writes the chars from `from` on that stand for themselves. Returns where they end.
    private int plain(String text, int from) {
        reserve(text.length() - from);
        var bytes = buffer;
        int to = length;
        int at = from;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\') {
                break;
            }
            bytes[to++] = (byte) c;
            at++;
        }
        length = to;
        return at;
    }

    /// Returns how many chars were taken.
    private int unusual(String text, int at) {
        int point = text.codePointAt(at);
        int chars = Character.charCount(point);
        if (mustEscape(point)) {
            for (int i = 0; i < chars; i++) {
                escape(text.charAt(at + i));
            }
        } else {
            utf8(point);
        }
        return chars;
    }

    /// Everything that a terminal obeys or a reader cannot see: controls, marks of direction, zero-width
    /// characters, line separators, tags and halves of pairs.
    private static boolean mustEscape(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    private void escape(char c) {
        put('\\');
        put('u');
        for (int shift = 12; shift >= 0; shift -= 4) {
            put((char) HEX[(c >> shift) & 0xf]);
        }
    }

    private void utf8(int point) {
        if (point < 0x800) {
            put((char) (0xc0 | point >> 6));
        } else if (point < 0x10000) {
            put((char) (0xe0 | point >> 12));
            put((char) (0x80 | (point >> 6 & 0x3f)));
        } else {
            put((char) (0xf0 | point >> 18));
            put((char) (0x80 | (point >> 12 & 0x3f)));
            put((char) (0x80 | (point >> 6 & 0x3f)));
        }
        put((char) (0x80 | (point & 0x3f)));
    }

    private void ascii(String text) {
        for (int i = 0; i < text.length(); i++) {
            put(text.charAt(i));
        }
    }

    private void reserve(int more) {
        if (buffer.length - length < more) {
            buffer = Arrays.copyOf(buffer, Math.addExact(length, Math.max(length, more)));
        }
    }

    private void put(char c) {
        if (length == buffer.length) {
            reserve(1);
        }
        buffer[length++] = (byte) c;
    }
}
