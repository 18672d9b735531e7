package dev.cagewright.policy.match;

import java.util.List;

/// One segment of a path pattern. `*` alone is any segment that is not empty; beside other characters it is any
/// number of characters.
///
/// @param parts the literal pieces between the `*`: one for a literal segment, two empty ones for `*`
record SegmentGlob(List<String> parts) {
    static SegmentGlob of(String canonicalSegment) {
        return new SegmentGlob(List.of(canonicalSegment.split("\\*", -1)));
    }

    boolean isLiteral() {
        return parts.size() == 1;
    }

    boolean isAny() {
        return parts.size() == 2
                && parts.getFirst().isEmpty()
                && parts.getLast().isEmpty();
    }

    String literal() {
        return parts.getFirst();
    }

    /// Pieces are looked for from left to right, each at its first place, which is never wrong and never taken back.
    boolean matches(String text, int from, int to) {
        var first = parts.getFirst();
        if (isLiteral()) {
            return to - from == first.length() && text.startsWith(first, from);
        }
        if (isAny()) {
            return to > from;
        }
        var last = parts.getLast();
        int start = from + first.length();
        int end = to - last.length();
        if (start > end || !text.startsWith(first, from) || !text.startsWith(last, end)) {
            return false;
        }
        for (int i = 1; i < parts.size() - 1; i++) {
            start = behind(text, start, end, parts.get(i));
            if (start < 0) {
                return false;
            }
        }
        return true;
    }

    private static int behind(String text, int from, int to, String piece) {
        for (int i = from; i + piece.length() <= to; i++) {
            if (text.startsWith(piece, i)) {
                return i + piece.length();
            }
        }
        return -1;
    }

    @Override
    public String toString() {
        return String.join("*", parts);
    }
}
