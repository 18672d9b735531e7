package dev.cagewright.supervisor.schema.pattern;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A set of code points.
///
/// @param ranges sorted, apart from each other
record CodeSet(List<Range> ranges) {
    /// Both ends included.
    record Range(int from, int to) {}

    static final CodeSet DIGITS = of(new Range('0', '9'));
    static final CodeSet WORDS = of(new Range('0', '9'), new Range('A', 'Z'), new Range('_', '_'), new Range('a', 'z'));

    /// White space and line ends of ECMA-262.
    static final CodeSet BLANKS = of(
            new Range('\t', '\r'),
            new Range(' ', ' '),
            new Range(0xa0, 0xa0),
            new Range(0x1680, 0x1680),
            new Range(0x2000, 0x200a),
            new Range(0x2028, 0x2029),
            new Range(0x202f, 0x202f),
            new Range(0x205f, 0x205f),
            new Range(0x3000, 0x3000),
            new Range(0xfeff, 0xfeff));

    /// What `.` is: everything but line ends.
    static final CodeSet ANY = of(new Range('\n', '\n'), new Range('\r', '\r'), new Range(0x2028, 0x2029))
            .others();

    CodeSet {
        ranges = merged(ranges);
    }

    static CodeSet of(Range... ranges) {
        return new CodeSet(List.of(ranges));
    }

    private static List<Range> merged(List<Range> ranges) {
        var sorted =
                ranges.stream().sorted(Comparator.comparingInt(Range::from)).toList();
        var merged = new ArrayList<Range>();
        for (Range range : sorted) {
            if (!merged.isEmpty() && range.from() <= merged.getLast().to() + 1) {
                var last = merged.removeLast();
                merged.add(new Range(last.from(), Math.max(last.to(), range.to())));
            } else {
                merged.add(range);
            }
        }
        return List.copyOf(merged);
    }

    CodeSet and(CodeSet other) {
        var both = new ArrayList<>(ranges);
        both.addAll(other.ranges);
        return new CodeSet(both);
    }

    /// Everything else.
    CodeSet others() {
        var gaps = new ArrayList<Range>();
        int next = 0;
        for (Range range : ranges) {
            if (range.from() > next) {
                gaps.add(new Range(next, range.from() - 1));
            }
            next = range.to() + 1;
        }
        if (next <= Character.MAX_CODE_POINT) {
            gaps.add(new Range(next, Character.MAX_CODE_POINT));
        }
        return new CodeSet(gaps);
    }

    boolean has(int point) {
        int low = 0;
        int high = ranges.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            var range = ranges.get(middle);
            if (point < range.from()) {
                high = middle - 1;
            } else if (point > range.to()) {
                low = middle + 1;
            } else {
                return true;
            }
        }
        return false;
    }
}
