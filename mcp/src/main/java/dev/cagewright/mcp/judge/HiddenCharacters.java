package dev.cagewright.mcp.judge;

import java.util.Optional;

/// Characters that a person does not see, or that a terminal obeys, and a model reads all the same: controls, escape
/// sequences, zero-width and bidirectional marks, tags, selectors, fillers, halves of pairs. What languages and emoji
/// need is let be: one joiner between two letters that are not ASCII, one selector behind a symbol.
final class HiddenCharacters {
    private static final int ESC = 0x1b;
    private static final int CSI = 0x9b;
    private static final int OSC = 0x9d;
    private static final int BEL = 0x07;
    private static final int STRING_END = 0x9c;

    /// So much of a sequence is taken to belong to it.
    private static final int LONGEST_SEQUENCE = 4_096;

    private HiddenCharacters() {}

    /// `text` without them; the same object if there are none.
    ///
    /// @param findings gets each kind, with what was done: [Findings.Deed]
    static String without(String text, Findings findings, Findings.Deed deed) {
        int first = firstOdd(text);
        if (first < 0) {
            return text;
        }
        var out = new StringBuilder(text.length());
        out.append(text, 0, first);
        int at = first;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            int width = Character.charCount(point);
            var kind = kind(text, at, point);
            if (kind.isEmpty()) {
                out.appendCodePoint(point);
                at += width;
                continue;
            }
            findings.add(deed, kind.get(), 1);
            at = kind.get().equals("escape") ? behindSequence(text, at) : at + width;
        }
        return deed == Findings.Deed.FLAGGED || out.length() == text.length() ? text : out.toString();
    }

    private static int firstOdd(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' && c != '\n' && c != '\t' && c != '\r') || (c >= 0x7f && isPerhaps(c))) {
                return i;
            }
        }
        return -1;
    }

    /// Ranges that every kind but ASCII controls is in, and the halves of pairs.
    private static boolean isPerhaps(char c) {
        return c <= 0x9f
                || c == 0xad
                || c == 0x34f
                || c == 0x61c
                || (c >= 0x115f && c <= 0x1160)
                || (c >= 0x17b4 && c <= 0x180f)
                || (c >= 0x200b && c <= 0x206f)
                || c == 0x3164
                || c >= 0xd800;
    }

    private static Optional<String> kind(String text, int at, int point) {
        if (point == ESC || point == CSI || point == OSC) {
            return Optional.of("escape");
        }
        if (point < ' ' ? point != '\n' && point != '\t' && point != '\r' : point >= 0x7f && point <= 0x9f) {
            return Optional.of("control");
        }
        if (isBidi(point)) {
            return Optional.of("bidi");
        }
        if (isZeroWidth(point)) {
            return isJoiner(point) && joins(text, at) ? Optional.empty() : Optional.of("zero-width");
        }
        if (point >= 0xe0000 && point <= 0xe007f) {
            return Optional.of("tag");
        }
        if (isSelector(point)) {
            return selects(text, at, point) ? Optional.empty() : Optional.of("selector");
        }
        return isFiller(point)
                ? Optional.of("filler")
                : isNoText(point) ? Optional.of("no-character") : Optional.empty();
    }

    private static boolean isBidi(int point) {
        return (point >= 0x202a && point <= 0x202e)
                || (point >= 0x2066 && point <= 0x2069)
                || point == 0x200e
                || point == 0x200f
                || point == 0x61c;
    }

    private static boolean isZeroWidth(int point) {
        return (point >= 0x200b && point <= 0x200d)
                || (point >= 0x2060 && point <= 0x2065)
                || (point >= 0x206a && point <= 0x206f)
                || point == 0xfeff
                || point == 0xad
                || point == 0x34f
                || point == 0x180e
                || (point >= 0xfff9 && point <= 0xfffb)
                || (point >= 0x1d173 && point <= 0x1d17a)
                || (point >= 0x1bca0 && point <= 0x1bca3);
    }

    private static boolean isJoiner(int point) {
        return point == 0x200c || point == 0x200d;
    }

    /// One joiner between letters or symbols of other scripts, as Persian, Indic scripts and emoji have it.
    private static boolean joins(String text, int at) {
        return at > 0
                && at + 1 < text.length()
                && isForeign(text.codePointBefore(at))
                && isForeign(text.codePointAt(at + 1));
    }

    private static boolean isForeign(int point) {
        return point >= 0x2c0 && !isZeroWidth(point) && !isBidi(point) && !isTagged(point);
    }

    private static boolean isTagged(int point) {
        return (point >= 0xe0000 && point <= 0xe0fff) || (point >= 0xd800 && point <= 0xdfff);
    }

    private static boolean isSelector(int point) {
        return (point >= 0xfe00 && point <= 0xfe0f)
                || (point >= 0xe0100 && point <= 0xe01ef)
                || (point >= 0x180b && point <= 0x180f);
    }

    /// One of the usual selectors behind a symbol or a letter of another script, or as keycaps have it.
    private static boolean selects(String text, int at, int point) {
        if (at == 0 || point >= 0xe0000) {
            return false;
        }
        int before = text.codePointBefore(at);
        boolean isKeycap = point == 0xfe0f
                && ((before >= '0' && before <= '9') || before == '#' || before == '*')
                && at + 1 < text.length()
                && text.charAt(at + 1) == 0x20e3;
        boolean isSymbol = point >= 0xfe0e || point < 0xfe00;
        return isKeycap || (isSymbol && (before == 0xa9 || before == 0xae || isForeign(before)) && !isSelector(before));
    }

    private static boolean isFiller(int point) {
        return point == 0x115f
                || point == 0x1160
                || point == 0x3164
                || point == 0xffa0
                || point == 0x17b4
                || point == 0x17b5;
    }

    /// Halves of pairs, and what is no character by definition.
    private static boolean isNoText(int point) {
        return (point >= 0xd800 && point <= 0xdfff)
                || (point & 0xfffe) == 0xfffe
                || (point >= 0xfdd0 && point <= 0xfdef);
    }

    /// Behind a sequence of ECMA-48: its parameters and final byte, or the string that it begins.
    private static int behindSequence(String text, int at) {
        int next = at + 1;
        char opener = text.charAt(at);
        if (opener == ESC) {
            if (next >= text.length()) {
                return next;
            }
            opener = text.charAt(next++);
        }
        int end = Math.min(text.length(), next + LONGEST_SEQUENCE);
        return switch (opener) {
            case '[', CSI -> behindParameters(text, next, end);
            case ']', 'P', 'X', '^', '_', OSC -> behindString(text, next, end);
            default -> opener >= ' ' && opener < 0x7f ? behindFinal(text, next, opener) : at + 1;
        };
    }

    /// A short one: perhaps bytes in between, then one that ends it.
    private static int behindFinal(String text, int from, char opener) {
        int at = from;
        char last = opener;
        while (last <= '/' && at < text.length() && text.charAt(at) >= ' ' && text.charAt(at) <= '~') {
            last = text.charAt(at++);
        }
        return at;
    }

    private static int behindParameters(String text, int from, int end) {
        int at = from;
        while (at < end && text.charAt(at) >= ' ' && text.charAt(at) <= '?') {
            at++;
        }
        return at < end && text.charAt(at) >= '@' && text.charAt(at) <= '~' ? at + 1 : at;
    }

    /// One that does not end is only its opening: text that can be seen does not vanish.
    private static int behindString(String text, int from, int end) {
        for (int at = from; at < end; at++) {
            char c = text.charAt(at);
            if (c == BEL || c == STRING_END) {
                return at + 1;
            }
            if (c == ESC) {
                return at + 1 < text.length() && text.charAt(at + 1) == '\\' ? at + 2 : at;
            }
            if (c == '\n') {
                return from;
            }
        }
        return from;
    }
}
