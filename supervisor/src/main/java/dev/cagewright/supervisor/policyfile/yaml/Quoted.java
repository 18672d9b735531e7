package dev.cagewright.supervisor.policyfile.yaml;

import dev.cagewright.policy.action.ByteString;

/// Text of a file, for a message: one line, safe on a terminal, short.
public final class Quoted {
    private static final int MAX = 80;

    private Quoted() {}

    /// In double quotes, at most 80 code points of it.
    public static String of(String text) {
        return '"' + bare(text) + '"';
    }

    /// Without the quotes.
    public static String bare(String text) {
        return ByteString.of(shortened(text, MAX)).printable();
    }

    /// At most `max` code points, never half of one; three dots stand for the rest.
    public static String shortened(String text, int max) {
        if (text.codePointCount(0, text.length()) <= max) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, max)) + "...";
    }
}
