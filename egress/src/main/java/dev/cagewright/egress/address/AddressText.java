package dev.cagewright.egress.address;

import java.util.Optional;

/// Addresses as text: reads the spellings that every program reads alike, and writes the one of RFC 5952.
final class AddressText {
    /// Eight groups of four digits, the last two as a dotted quad: `INET6_ADDRSTRLEN` without its NUL.
    private static final int MAX_CHARS = 45;

    private static final int GROUPS = 8;

    private AddressText() {}

    static Optional<byte[]> read(String text) {
        if (text.isEmpty() || text.length() > MAX_CHARS) {
            return Optional.empty();
        }
        return text.indexOf(':') < 0 ? quad(text) : groups(text);
    }

    /// Four decimal numbers from 0 to 255 without leading zeros.
    private static Optional<byte[]> quad(String text) {
        var parts = text.split("\\.", -1);
        if (parts.length != 4) {
            return Optional.empty();
        }
        var bytes = new byte[4];
        for (int i = 0; i < 4; i++) {
            int value = number(parts[i], 10, 3);
            if (value < 0 || value > 255 || (parts[i].length() > 1 && parts[i].charAt(0) == '0')) {
                return Optional.empty();
            }
            bytes[i] = (byte) value;
        }
        return Optional.of(bytes);
    }

    /// RFC 4291 section 2.2: eight groups, one run of which `::` may stand for, the last two as a dotted quad.
    private static Optional<byte[]> groups(String text) {
        int gap = text.indexOf("::");
        if (gap >= 0 && text.indexOf("::", gap + 1) >= 0) {
            return Optional.empty();
        }
        var head = gap < 0 ? text : text.substring(0, gap);
        var tail = gap < 0 ? "" : text.substring(gap + 2);
        var bytes = new byte[2 * GROUPS];
        int before = fill(head, bytes, gap < 0 ? Quad.MAY_END : Quad.NEVER);
        var after = new byte[2 * GROUPS];
        int behind = fill(tail, after, Quad.MAY_END);
        boolean fits = gap < 0 ? before == bytes.length : before + behind < bytes.length;
        if (before < 0 || behind < 0 || !fits) {
            return Optional.empty();
        }
        System.arraycopy(after, 0, bytes, bytes.length - behind, behind);
        return Optional.of(bytes);
    }

    /// Where a dotted quad may stand.
    private enum Quad {
        MAY_END,
        NEVER
    }

    /// How many bytes `text` gives, or -1.
    private static int fill(String text, byte[] bytes, Quad quad) {
        if (text.isEmpty()) {
            return 0;
        }
        int at = 0;
        var parts = text.split(":", -1);
        for (int i = 0; i < parts.length; i++) {
            boolean isQuad = parts[i].indexOf('.') >= 0;
            boolean isAllowed = !isQuad || (quad == Quad.MAY_END && i == parts.length - 1);
            var part = isQuad ? quad(parts[i]) : group(parts[i]);
            if (!isAllowed || part.isEmpty() || at + part.get().length > bytes.length) {
                return -1;
            }
            System.arraycopy(part.get(), 0, bytes, at, part.get().length);
            at += part.get().length;
        }
        return at;
    }

    private static Optional<byte[]> group(String text) {
        int value = number(text, 16, 4);
        return value < 0 ? Optional.empty() : Optional.of(new byte[] {(byte) (value >> 8), (byte) value});
    }

    /// Of one to `most` ASCII digits, or -1.
    private static int number(String text, int radix, int most) {
        if (text.isEmpty() || text.length() > most) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int digit = c < 128 ? Character.digit(c, radix) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value * radix + digit;
        }
        return value;
    }

    static String write(byte[] bytes) {
        return bytes.length == 4 ? quad(bytes) : groups(bytes);
    }

    private static String quad(byte[] bytes) {
        return (bytes[0] & 0xff) + "." + (bytes[1] & 0xff) + "." + (bytes[2] & 0xff) + "." + (bytes[3] & 0xff);
    }

    /// RFC 5952 section 4: lower case, no leading zeros, `::` for the longest run of two or more zero groups, the
    /// first of several.
    private static String groups(byte[] bytes) {
        int from = 0;
        int length = 0;
        for (int i = 0; i < GROUPS; i++) {
            int run = zeros(bytes, i);
            if (run > length) {
                from = i;
                length = run;
            }
        }
        return length < 2 ? hex(bytes, 0, GROUPS) : hex(bytes, 0, from) + "::" + hex(bytes, from + length, GROUPS);
    }

    private static int zeros(byte[] bytes, int group) {
        int run = 0;
        while (group + run < GROUPS && value(bytes, group + run) == 0) {
            run++;
        }
        return run;
    }

    private static String hex(byte[] bytes, int from, int to) {
        var text = new StringBuilder();
        for (int i = from; i < to; i++) {
            text.append(i == from ? "" : ":").append(Integer.toHexString(value(bytes, i)));
        }
        return text.toString();
    }

    private static int value(byte[] bytes, int group) {
        return (bytes[2 * group] & 0xff) << 8 | (bytes[2 * group + 1] & 0xff);
    }
}
