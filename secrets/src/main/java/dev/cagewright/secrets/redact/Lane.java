package dev.cagewright.secrets.redact;

import java.util.Arrays;
import java.util.Set;

/// One text in a stream that is told in pieces, with other things between them: where each of its bytes stands in the
/// stream. Keeps what is undecided. For one thread at a time.
final class Lane {
    /// A beginning shorter than this is not worth holding a stream for: nearly every text ends in one.
    static final int LEAST_HELD = 4;

    private static final int ROOM = 64;

    private byte[] text = new byte[ROOM];
    private int size;

    /// Runs of bytes that stand together in the stream as they are, and single bytes that are escaped: where each
    /// begins in the text and in the stream, and how many bytes the writing of a letter has there.
    private int[] starts = new int[4];

    private long[] places = new long[4];
    private byte[] widths = new byte[4];
    private int runs;

    /// How many of the first bytes are the end of a value, and written over.
    private int reach;

    private boolean isWaiting;

    /// Adds bytes that stand in the stream from `place` on.
    void add(byte[] bytes, int from, int to, long place) {
        run(place, 1);
        int length = to - from;
        if (size + length > text.length) {
            text = Arrays.copyOf(text, Math.max(2 * text.length, size + length));
        }
        System.arraycopy(bytes, from, text, size, length);
        size += length;
    }

    /// Adds a byte that is written in another way.
    ///
    /// @param width bytes of its writing, which begins at `place`: 2 or 6; 0 if the byte before has it
    void add(byte letter, long place, int width) {
        run(place, width);
        if (size == text.length) {
            text = Arrays.copyOf(text, 2 * size);
        }
        text[size++] = letter;
    }

    private void run(long place, int width) {
        if (runs == starts.length) {
            starts = Arrays.copyOf(starts, 2 * runs);
            places = Arrays.copyOf(places, 2 * runs);
            widths = Arrays.copyOf(widths, 2 * runs);
        }
        starts[runs] = size;
        places[runs] = place;
        widths[runs] = (byte) width;
        runs++;
    }

    /// Takes out what can be told by now.
    ///
    /// @param names takes the names of what was there
    void decide(Redaction.Plan plan, Held held, Patterns.Rest rest, Set<String> names) {
        int free = plan.patterns().cover(text, size, reach, rest, (pattern, from, to) -> {
            var standIn = plan.standIns().get(pattern);
            int run = 0;
            for (int i = Math.max(from, reach); i < to; i++) {
                while (run + 1 < runs && starts[run + 1] <= i) {
                    run++;
                }
                write(standIn[i - from], places[run] + (i - starts[run]), widths[run], held);
            }
            names.add(plan.names().get(pattern));
            reach = to;
        });
        forget(free);
    }

    private void forget(int count) {
        System.arraycopy(text, count, text, 0, size - count);
        size -= count;
        reach = Math.max(0, reach - count);
        if (size == 0) {
            runs = 0;
            return;
        }
        int first = 0;
        while (first + 1 < runs && starts[first + 1] <= count) {
            first++;
        }
        places[first] += count - starts[first];
        starts[first] = count;
        for (int i = first; i < runs; i++) {
            starts[i - first] = starts[i] - count;
            places[i - first] = places[i];
            widths[i - first] = widths[i];
        }
        runs -= first;
    }

    /// Writes a letter over the writing of another, which keeps its width.
    private static void write(byte letter, long place, int width, Held held) {
        boolean isSpecial = letter == '"' || letter == '\\' || letter < ' ';
        switch (width) {
            case 1 -> held.put(place, isSpecial ? (byte) 'x' : letter);
            case 2 -> held.put(place + 1, letter == '\\' ? letter : (byte) '/');
            case 6 -> {
                held.put(place + 2, (byte) '0');
                held.put(place + 3, (byte) '0');
                held.put(place + 4, (byte) Character.forDigit((letter >> 4) & 0xf, 16));
                held.put(place + 5, (byte) Character.forDigit(letter & 0xf, 16));
            }
            default -> {} // the byte before has it
        }
    }

    /// Where what has to be held begins; the end of all streams if nothing has to.
    long heldFrom() {
        return size < LEAST_HELD ? Long.MAX_VALUE : places[0];
    }

    /// Is it among those that hold the stream? Kept by [Lanes].
    boolean isWaiting() {
        return isWaiting;
    }

    void setWaiting(boolean isOne) {
        isWaiting = isOne;
    }
}
