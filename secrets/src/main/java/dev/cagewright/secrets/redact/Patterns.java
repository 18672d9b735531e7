package dev.cagewright.secrets.redact;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/// Many byte strings, all looked for in one pass: the leftmost, and of those the longest, whatever order they were
/// given
/// in. Immutable but for [#close], and safe for all threads.
///
/// Most bytes of a text are never read. Every pattern is at least `shortest` bytes long, so of every `stride` places in
/// a
/// text one is inside the first bytes of any pattern that stands there; only at those the next few bytes (a gram) are
/// looked up in a bitmap. Where that says perhaps, the patterns, sorted, are searched for the text itself, which says
/// for certain what begins there and what may begin there once more has come.
public final class Patterns implements AutoCloseable {
    /// The shortest pattern.
    public static final int LEAST = 8;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    /// A longer beginning tells no more.
    private static final int MOST_BEGINNING = 64;

    /// So many bits for each gram: one in so many lookups of another text is a false alarm.
    private static final int BITS_EACH = 16;

    private final byte[][] sorted;
    private final int[] prefixes;
    private final int gram;
    private final int stride;
    private final Bitmap inside;
    private final Bitmap beginnings;
    private final Bitmap shortBeginnings;
    private final boolean[] firsts = new boolean[256];

    /// Hears of what stands in a text.
    @FunctionalInterface
    public interface Found {
        /// A pattern stands there.
        ///
        /// @param pattern its number, as in [#pattern]
        void at(int pattern, int from, int to);
    }

    /// What may follow a text.
    public enum Rest {
        MORE_COMES,
        ENDS
    }

    /// Grams that are in some pattern, and a few that are not.
    private static final class Bitmap {
        private final long[] words;
        private final int shift;

        Bitmap(long grams) {
            int bits = Math.clamp(64 - Long.numberOfLeadingZeros(grams * BITS_EACH), 10, 28);
            words = new long[1 << (bits - 6)];
            shift = 64 - bits;
        }

        void add(long gram) {
            int bit = (int) ((gram * MIX) >>> shift);
            words[bit >>> 6] |= 1L << bit;
        }

        boolean has(long gram) {
            int bit = (int) ((gram * MIX) >>> shift);
            return (words[bit >>> 6] & (1L << bit)) != 0;
        }
    }

    private Patterns(byte[][] sorted) {
        this.sorted = sorted;
        int shortest = MOST_BEGINNING;
        for (var pattern : sorted) {
            if (pattern.length < LEAST) {
                throw new IllegalArgumentException(
                        "pattern: " + pattern.length + " bytes (expected: at least " + LEAST + ")");
            }
            shortest = Math.min(shortest, pattern.length);
        }
        this.gram = shortest >= 2 * Long.BYTES ? Long.BYTES : Integer.BYTES;
        this.stride = shortest - gram + 1;
        this.inside = new Bitmap((long) sorted.length * stride);
        this.beginnings = new Bitmap(sorted.length);
        this.shortBeginnings = new Bitmap(sorted.length);
        this.prefixes = prefixes(sorted);
        index();
    }

    private void index() {
        for (var pattern : sorted) {
            for (int at = 0; at < stride; at++) {
                inside.add(gram(pattern, at));
            }
            beginnings.add(gram(pattern, 0));
            shortBeginnings.add((int) INTS.get(pattern, 0));
            firsts[pattern[0] & 0xff] = true;
        }
    }

    /// Takes the patterns.
    ///
    /// @param patterns each at least [#LEAST] bytes, each once; owned by this from now on
    public static Patterns of(List<byte[]> patterns) {
        var sorted = patterns.toArray(byte[][]::new);
        Arrays.sort(sorted, Arrays::compareUnsigned);
        return new Patterns(sorted);
    }

    /// For each pattern the longest other that it begins with; -1 if there is none.
    private static int[] prefixes(byte[][] sorted) {
        var prefixes = new int[sorted.length];
        for (int i = 0; i < sorted.length; i++) {
            int other = i - 1;
            while (other >= 0 && !begins(sorted[i], sorted[other])) {
                other = prefixes[other];
            }
            prefixes[i] = other;
        }
        return prefixes;
    }

    private static boolean begins(byte[] text, byte[] with) {
        return text.length >= with.length && Arrays.equals(text, 0, with.length, with, 0, with.length);
    }

    public int size() {
        return sorted.length;
    }

    /// A copy.
    public byte[] pattern(int number) {
        return sorted[number].clone();
    }

    private long gram(byte[] bytes, int at) {
        return gram == Long.BYTES ? (long) LONGS.get(bytes, at) : (int) INTS.get(bytes, at);
    }

    /// Tells what stands in a text, from left to right, none over another.
    ///
    /// @param rest if more comes, what may be the beginning of a pattern is left undecided
    /// @param found may change the bytes that it is told of, and no others
    /// @return from where on nothing is decided yet: those bytes have to be there again, in front of what comes
    public int search(byte[] bytes, int from, int to, Rest rest, Found found) {
        int at = from;
        while (at < to) {
            int start = candidate(bytes, at, to);
            if (start == to) {
                return to;
            }
            int behind = behind(bytes, start, to);
            if (rest == Rest.MORE_COMES && isUnderway(behind, bytes, start, to)) {
                return start;
            }
            int match = match(behind, bytes, start, to);
            if (match < 0) {
                at = start + 1;
            } else {
                at = start + sorted[match].length;
                found.at(match, start, at);
            }
        }
        return to;
    }

    /// Tells what stands in a text, from left to right, also where one runs into the next: whatever stands in the text
    /// is inside of those that are told, which overlap. The bytes must not be changed meanwhile.
    ///
    /// @param reach how many of the first bytes were told before; what ends among them is not told again
    /// @return from where on nothing is decided yet: those bytes have to be there again, as they are, in front of
    ///     what comes, although some of them may have been told
    int cover(byte[] bytes, int to, int reach, Rest rest, Found found) {
        int told = reach;
        int at = 0;
        while (at < to) {
            int start = candidate(bytes, at, to);
            if (start == to) {
                return to;
            }
            int behind = behind(bytes, start, to);
            if (rest == Rest.MORE_COMES && isUnderway(behind, bytes, start, to)) {
                return start;
            }
            int match = match(behind, bytes, start, to);
            if (match >= 0 && start + sorted[match].length > told) {
                told = start + sorted[match].length;
                found.at(match, start, told);
            }
            at = start + 1;
        }
        return to;
    }

    /// The next place where something may begin; `to` if there is none.
    private int candidate(byte[] bytes, int from, int to) {
        int left = from;
        for (int sample = from + stride - 1; sample + gram <= to; sample += stride) {
            if (inside.has(gram(bytes, sample))) {
                for (int start = left; start <= sample; start++) {
                    if (beginnings.has(gram(bytes, start))) {
                        return start;
                    }
                }
            }
            left = sample + 1;
        }
        for (int start = left; start < to; start++) {
            if (mayBegin(bytes, start, to)) {
                return start;
            }
        }
        return to;
    }

    private boolean mayBegin(byte[] bytes, int start, int to) {
        if (start + gram <= to) {
            return beginnings.has(gram(bytes, start));
        }
        return start + Integer.BYTES <= to
                ? shortBeginnings.has((int) INTS.get(bytes, start))
                : firsts[bytes[start] & 0xff];
    }

    /// How many patterns do not come behind the text in the order.
    private int behind(byte[] bytes, int from, int to) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            var pattern = sorted[middle];
            if (Arrays.compareUnsigned(pattern, 0, pattern.length, bytes, from, to) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Is the text the beginning of a longer pattern? Then that is the first one behind it.
    private boolean isUnderway(int behind, byte[] bytes, int from, int to) {
        if (behind == sorted.length) {
            return false;
        }
        var next = sorted[behind];
        int length = to - from;
        return next.length > length && Arrays.equals(next, 0, length, bytes, from, to);
    }

    /// The longest pattern that the text begins with; -1 if there is none. Whatever stands between it and the text in
    /// the order begins with it, too.
    private int match(int behind, byte[] bytes, int from, int to) {
        int pattern = behind - 1;
        while (pattern >= 0) {
            var bytesOfIt = sorted[pattern];
            if (bytesOfIt.length <= to - from
                    && Arrays.equals(bytesOfIt, 0, bytesOfIt.length, bytes, from, from + bytesOfIt.length)) {
                return pattern;
            }
            pattern = prefixes[pattern];
        }
        return -1;
    }

    /// Wipes the patterns; nothing is found afterwards.
    @Override
    public void close() {
        for (var pattern : sorted) {
            Arrays.fill(pattern, (byte) 0);
        }
    }

    @Override
    public String toString() {
        return "(" + sorted.length + " patterns)";
    }
}
