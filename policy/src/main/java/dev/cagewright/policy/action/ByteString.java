package dev.cagewright.policy.action;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/// Immutable bytes, for what the kernel calls a string: arguments, paths, variables. Not text: Linux
/// allows every byte but NUL, so a decoded copy could differ from what is executed.
public final class ByteString implements Comparable<ByteString> {
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private final byte[] bytes;

    private ByteString(byte[] bytes) {
        this.bytes = bytes;
    }

    /// The UTF-8 bytes of `text`.
    public static ByteString of(String text) {
        return new ByteString(text.getBytes(StandardCharsets.UTF_8));
    }

    /// A copy of `bytes`.
    public static ByteString copyOf(byte[] bytes) {
        return new ByteString(bytes.clone());
    }

    public int size() {
        return bytes.length;
    }

    public byte at(int index) {
        return bytes[index];
    }

    /// A fresh copy; the caller owns it.
    public byte[] toByteArray() {
        return bytes.clone();
    }

    public boolean contains(byte wanted) {
        for (byte b : bytes) {
            if (b == wanted) {
                return true;
            }
        }
        return false;
    }

    /// One char for each byte, `U+0000..U+00FF`: lossless, so rules about ASCII may use string functions.
    public String latin1() {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /// The text these bytes spell, or empty when they are not well-formed UTF-8.
    public Optional<String> utf8() {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException _) {
            return Optional.empty();
        }
    }

    /// For people: the text, with controls, bidirectional overrides, invisible characters, backslashes
    /// and every byte that is not UTF-8 written as escapes. Safe on a terminal, one line.
    public String printable() {
        var out = new StringBuilder(bytes.length + 16);
        var text = utf8();
        if (text.isPresent()) {
            text.get().codePoints().forEach(point -> appendPrintable(out, point));
            return out.toString();
        }
        for (byte b : bytes) {
            if (b >= 0x20 && b < 0x7f && b != '\\') {
                out.append((char) b);
            } else {
                out.append("\\x").append(HEX[(b >> 4) & 15]).append(HEX[b & 15]);
            }
        }
        return out.toString();
    }

    private static void appendPrintable(StringBuilder out, int point) {
        switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> appendEscape(out, point);
            default -> {
                if (point == '\\') {
                    out.append("\\\\");
                } else {
                    out.appendCodePoint(point);
                }
            }
        }
    }

    private static void appendEscape(StringBuilder out, int point) {
        switch (point) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> out.append("\\u{").append(Integer.toHexString(point)).append('}');
        }
    }

    @Override
    public int compareTo(ByteString other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ByteString that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return printable();
    }
}
