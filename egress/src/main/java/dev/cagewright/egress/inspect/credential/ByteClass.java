package dev.cagewright.egress.inspect.credential;

import java.util.BitSet;

/// A set of byte values.
final class ByteClass {
    private final boolean[] has = new boolean[256];

    private ByteClass(BitSet members) {
        members.stream().forEach(value -> has[value] = true);
    }

    /// Reads `A-Za-z0-9_-`: ranges and single characters. `\s` stands for blanks and line ends, `\\` for a backslash;
    /// a hyphen that is first or last is itself.
    static ByteClass of(String text) {
        var members = new BitSet(256);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
                addEscaped(members, text.charAt(i));
            } else if (i + 2 < text.length() && text.charAt(i + 1) == '-') {
                members.set(c, text.charAt(i + 2) + 1);
                i += 2;
            } else {
                members.set(c);
            }
        }
        return new ByteClass(members);
    }

    private static void addEscaped(BitSet members, char letter) {
        switch (letter) {
            case 's' -> " \t\r\n".chars().forEach(members::set);
            case '\\' -> members.set('\\');
            default -> throw new IllegalArgumentException("class: \\" + letter + " (expected: \\s or \\\\)");
        }
    }

    boolean has(int value) {
        return has[value];
    }
}
