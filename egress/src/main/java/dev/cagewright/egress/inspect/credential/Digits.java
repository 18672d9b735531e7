package dev.cagewright.egress.inspect.credential;

import java.util.Arrays;

/// The values of an encoding's characters.
final class Digits {
    private static final int NONE = -1;

    /// RFC 4648 sections 4 and 5; mixed, as both are seen.
    static final Digits BASE64 =
            new Digits("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", "-_", "\r\n");

    /// RFC 4648 section 8.
    static final Digits HEX = new Digits("0123456789abcdef", "ABCDEF", "");

    private final int[] values = new int[256];
    private final String passedOver;

    /// @param others other characters for the last values
    /// @param passedOver what may stand between digits of one run
    private Digits(String digits, String others, String passedOver) {
        this.passedOver = passedOver;
        Arrays.fill(values, NONE);
        for (int i = 0; i < digits.length(); i++) {
            values[digits.charAt(i)] = i;
        }
        for (int i = 0; i < others.length(); i++) {
            values[others.charAt(i)] = digits.length() - others.length() + i;
        }
    }

    /// The value of a character, negative if it is none of them.
    int value(int character) {
        return values[character];
    }

    /// May this stand between digits of one run?
    boolean passesOver(int character) {
        return passedOver.indexOf(character) >= 0;
    }
}
