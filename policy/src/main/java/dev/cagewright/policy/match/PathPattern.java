package dev.cagewright.policy.match;

import dev.cagewright.policy.action.RequestPath;
import dev.cagewright.policy.quantity.Field;
import java.util.ArrayList;
import java.util.List;

/// Which paths a rule means. `*` stands within one segment: alone for any segment that is not empty, beside other
/// characters for any number of them. `**` is a segment of its own and stands for any number of segments, none
/// included: `/a/**` means `/a`, `/a/` and everything below. Everything else is itself, in the spelling of
/// [RequestPath]; `%2A` is a star that is just a star. A slash at the end counts.
public final class PathPattern {
    private static final String ACROSS = "**";
    private static final int MAX_SEGMENTS = 128;

    private final String text;
    private final List<SegmentGlob> head;
    private final List<List<SegmentGlob>> chunks;

    private PathPattern(String text, List<SegmentGlob> head, List<List<SegmentGlob>> chunks) {
        this.text = text;
        this.head = List.copyOf(head);
        this.chunks = List.copyOf(chunks);
    }

    /// Reads a pattern.
    ///
    /// @throws IllegalArgumentException naming `field`, the position of what is wrong, and what is accepted
    public static PathPattern parse(String field, String text) {
        requirePlain(field, text);
        var head = new ArrayList<SegmentGlob>();
        var chunks = new ArrayList<List<SegmentGlob>>();
        var here = head;
        int at = 1;
        var segments = text.substring(1).split("/", -1);
        if (segments.length > MAX_SEGMENTS) {
            throw Field.refusal(field, text, "at most " + MAX_SEGMENTS + " segments");
        }
        for (String segment : segments) {
            if (segment.equals(ACROSS)) {
                here = new ArrayList<>();
                chunks.add(here);
            } else {
                here.add(segment(field, text, segment, at));
            }
            at += segment.length() + 1;
        }
        return new PathPattern(text, head, chunks);
    }

    /// The text of the pattern that means `path` and nothing else.
    ///
    /// @param path in the spelling of requests
    public static String meaningOnly(String path) {
        return path.replace("*", "%2A").replace("{", "%7B").replace("}", "%7D").replace(",", "%2C");
    }

    private static void requirePlain(String field, String text) {
        if (!text.startsWith("/")) {
            throw wrong(field, text, 0, "a path that starts with '/'; /** is every path");
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '{' || c == '}') {
                throw wrong(field, text, i, "'*' for a variable segment, not '{...}'");
            }
            if (c == '?' || c == '#' || c == '\\') {
                throw wrong(field, text, i, "a path without query, fragment or backslash");
            }
            if (c == ',' && text.startsWith("/", i + 1)) {
                throw wrong(field, text, i, "one pattern for each entry of the list; write a comma of the path as %2C");
            }
        }
    }

    private static SegmentGlob segment(String field, String text, String segment, int at) {
        int stars = segment.indexOf(ACROSS);
        if (stars >= 0) {
            throw wrong(field, text, at + stars, "'**' only as a whole segment");
        }
        var parts = new ArrayList<String>();
        for (String part : segment.split("\\*", -1)) {
            parts.add(literal(field, text, part, at));
        }
        if (parts.size() == 1
                && (parts.getFirst().equals(".") || parts.getFirst().equals(".."))) {
            throw wrong(field, text, at, "no '.' or '..' segments, which no request has");
        }
        return new SegmentGlob(List.copyOf(parts));
    }

    /// A piece in the spelling of requests. The letter in front keeps dots from being resolved.
    private static String literal(String field, String text, String part, int at) {
        try {
            return RequestPath.canonical("/x" + part).substring(2);
        } catch (IllegalArgumentException _) {
            throw wrong(field, text, at, "no control character, and two hexadecimal digits behind '%'");
        }
    }

    private static IllegalArgumentException wrong(String field, String text, int at, String expected) {
        return Field.refusal(field, text, "at position " + at + ": " + expected);
    }

    /// The segments before the first `**`.
    List<SegmentGlob> head() {
        return head;
    }

    /// The stretches of segments behind each `**`; none when there is no `**`, an empty last one when it ends the
    /// pattern.
    List<List<SegmentGlob>> chunks() {
        return chunks;
    }

    /// Does this pattern mean `path`?
    ///
    /// @param path in the spelling of [RequestPath]
    public boolean matches(String path) {
        int at = 1;
        for (SegmentGlob segment : head) {
            if (at > path.length()) {
                return false;
            }
            int end = endOfSegment(path, at);
            if (!segment.matches(path, at, end)) {
                return false;
            }
            at = end + 1;
        }
        return chunks.isEmpty() ? at > path.length() : tailMatches(path, at);
    }

    /// Do the stretches behind the `**` fit into `path` from `at` on? The last one stands at the end, each other one
    /// at its first place.
    boolean tailMatches(String path, int at) {
        int start = at;
        for (int i = 0; i < chunks.size() - 1; i++) {
            start = behindFirst(path, start, chunks.get(i));
            if (start < 0) {
                return false;
            }
        }
        var last = chunks.getLast();
        if (last.isEmpty()) {
            return true;
        }
        int lastStart = startOfLast(path, last.size());
        return lastStart >= start && chunkMatches(path, lastStart, last);
    }

    private static int behindFirst(String path, int from, List<SegmentGlob> chunk) {
        int at = from;
        while (at <= path.length()) {
            if (chunkMatches(path, at, chunk)) {
                for (int i = 0; i < chunk.size(); i++) {
                    at = endOfSegment(path, at) + 1;
                }
                return at;
            }
            at = endOfSegment(path, at) + 1;
        }
        return chunk.isEmpty() ? from : -1;
    }

    private static boolean chunkMatches(String path, int from, List<SegmentGlob> chunk) {
        int at = from;
        for (int i = 0; i < chunk.size(); i++) {
            if (at > path.length()) {
                return false;
            }
            int end = endOfSegment(path, at);
            if (!chunk.get(i).matches(path, at, end)) {
                return false;
            }
            at = end + 1;
        }
        return true;
    }

    private static int startOfLast(String path, int segments) {
        int slash = path.length();
        for (int i = 0; i < segments; i++) {
            slash = path.lastIndexOf('/', slash - 1);
            if (slash < 0) {
                return -1;
            }
        }
        return slash + 1;
    }

    static int endOfSegment(String path, int at) {
        int slash = path.indexOf('/', at);
        return slash < 0 ? path.length() : slash;
    }

    /// Can it be shown that this pattern means every path that `other` means? `false` may also mean that it cannot be
    /// shown.
    public boolean covers(PathPattern other) {
        if (text.equals(other.text)) {
            return true;
        }
        int shared = head.size();
        if (other.head.size() < shared) {
            return false;
        }
        for (int i = 0; i < shared; i++) {
            if (!covers(head.get(i), other.head.get(i))) {
                return false;
            }
        }
        if (chunks.isEmpty()) {
            return other.chunks.isEmpty() && other.head.size() == shared;
        }
        return chunks.size() == 1 && chunks.getFirst().isEmpty();
    }

    private static boolean covers(SegmentGlob one, SegmentGlob other) {
        if (one.equals(other)) {
            return true;
        }
        if (one.isAny()) {
            return !other.isLiteral() || !other.literal().isEmpty();
        }
        return other.isLiteral()
                && one.matches(other.literal(), 0, other.literal().length());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PathPattern that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /// The pattern as it was written.
    @Override
    public String toString() {
        return text;
    }
}
