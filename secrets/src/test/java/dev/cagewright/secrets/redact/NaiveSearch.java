package dev.cagewright.secrets.redact;

import java.util.ArrayList;
import java.util.List;

/// The leftmost, and of those the longest, one place after the other: slow, and plain to see.
final class NaiveSearch {
    private NaiveSearch() {}

    /// Every match as `from-to`.
    static List<String> in(byte[] text, List<byte[]> patterns) {
        var found = new ArrayList<String>();
        int at = 0;
        while (at < text.length) {
            int longest = 0;
            for (var pattern : patterns) {
                if (pattern.length > longest && stands(pattern, text, at)) {
                    longest = pattern.length;
                }
            }
            if (longest > 0) {
                found.add(at + "-" + (at + longest));
            }
            at += Math.max(1, longest);
        }
        return found;
    }

    private static boolean stands(byte[] pattern, byte[] text, int at) {
        if (at + pattern.length > text.length) {
            return false;
        }
        for (int i = 0; i < pattern.length; i++) {
            if (text[at + i] != pattern[i]) {
                return false;
            }
        }
        return true;
    }

    /// The same by the patterns under test, in pieces of these sizes, again and again.
    static List<String> inPieces(byte[] text, Patterns patterns, int[] sizes) {
        var found = new ArrayList<String>();
        int undecided = 0;
        int to = 0;
        for (int i = 0; to < text.length; i++) {
            to = Math.min(text.length, to + Math.max(1, sizes[i % sizes.length]));
            undecided = patterns.search(
                    text, undecided, to, Patterns.Rest.MORE_COMES, (_, from, end) -> found.add(from + "-" + end));
        }
        int end = patterns.search(
                text, undecided, to, Patterns.Rest.ENDS, (_, from, behind) -> found.add(from + "-" + behind));
        if (end != text.length) {
            found.add("undecided at " + end);
        }
        return found;
    }
}
