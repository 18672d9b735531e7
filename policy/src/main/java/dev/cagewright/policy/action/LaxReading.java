package dev.cagewright.policy.action;

import java.util.Map;

/// A path as servers read it that decode more than RFC 3986 lets them: encoded slashes and backslashes as separators,
/// escapes within escapes, dots and slashes in longer UTF-8 than needed (RFC 3629, 10), parameters cut off a segment.
/// Such a server resolves dots that nobody else sees.
final class LaxReading {
    /// Whoever decodes more often than this decodes until nothing is left, and there is no telling what for.
    private static final int ROUNDS = 3;

    private static final Map<String, String> OVERLONG = Map.of(
            "\u00c0\u00ae", ".",
            "\u00e0\u0080\u00ae", ".",
            "\u00f0\u0080\u0080\u00ae", ".",
            "\u00c0\u00af", "/",
            "\u00e0\u0080\u00af", "/",
            "\u00c1\u009c", "\\");

    private LaxReading() {}

    /// Are there dot segments in `canonical` for one of them? It has none by itself.
    static boolean hasDots(String canonical) {
        var text = canonical;
        for (int round = 0; round < ROUNDS && text.indexOf('%') >= 0; round++) {
            text = decoded(text);
            if (hasDotSegment(text)) {
                return true;
            }
        }
        return false;
    }

    private static String decoded(String text) {
        var out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            int code = text.charAt(i) == '%' ? code(text, i) : -1;
            out.append(code < 0 ? text.charAt(i) : (char) code);
            i += code < 0 ? 0 : 2;
        }
        var whole = out.toString();
        for (var spelling : OVERLONG.entrySet()) {
            whole = whole.replace(spelling.getKey(), spelling.getValue());
        }
        return whole;
    }

    private static int code(String text, int at) {
        if (at + 2 >= text.length()) {
            return -1;
        }
        int high = Character.digit(text.charAt(at + 1), 16);
        int low = Character.digit(text.charAt(at + 2), 16);
        return high < 0 || low < 0 ? -1 : high * 16 + low;
    }

    private static boolean hasDotSegment(String text) {
        for (String segment : text.split("[/\\\\]", -1)) {
            int parameter = segment.indexOf(';');
            var name = (parameter < 0 ? segment : segment.substring(0, parameter)).strip();
            if (name.equals(".") || name.equals("..")) {
                return true;
            }
        }
        return false;
    }
}
