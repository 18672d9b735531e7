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
    private long[] places = new long[ROOM];
    private byte[] widths = new byte[ROOM];
    private int size;

    /// Adds a byte.
    ///
    /// @param place where its writing begins in the stream
    /// @param width bytes of its writing: 1 as it is, 2 or 6 for an escape; 0 if the byte before has it
    void add(byte letter, long place, int width) {
        if (size == text.length) {
            text = Arrays.copyOf(text, 2 * size);
            places = Arrays.copyOf(places, 2 * size);
            widths = Arrays.copyOf(widths, 2 * size);
        }
        text[size] = letter;
        places[size] = place;
        widths[size] = (byte) width;
        size++;
    }

    /// Takes out what can be told by now.
    ///
    /// @param names takes the names of what was there
    void decide(Redaction.Plan plan, Held held, Patterns.Rest rest, Set<String> names) {
        int free = plan.patterns().search(text, 0, size, rest, (pattern, from, to) -> {
            for (int i = from; i < to; i++) {
                write(plan.standIns().get(pattern)[i - from], i, held);
            }
            names.add(plan.names().get(pattern));
        });
        System.arraycopy(text, free, text, 0, size - free);
        System.arraycopy(places, free, places, 0, size - free);
        System.arraycopy(widths, free, widths, 0, size - free);
        size -= free;
    }

    /// Writes a letter over the writing of another, which keeps its width.
    private void write(byte letter, int at, Held held) {
        long place = places[at];
        boolean isSpecial = letter == '"' || letter == '\\' || letter < ' ';
        switch (widths[at]) {
            case 1 -> held.put(place, isSpecial ? (byte) 'x' : letter);
            case 2 -> held.put(place + 1, (byte) '/');
            case 6 -> {
                held.put(place + 2, (byte) '0');
                held.put(place + 3, (byte) '0');
                held.put(place + 4, (byte) Character.forDigit(letter >> 4 & 0xf, 16));
                held.put(place + 5, (byte) Character.forDigit(letter & 0xf, 16));
            }
            default -> {} // written with the byte before
        }
    }

    /// Where what has to be held begins; the end of the stream if nothing has to.
    long heldFrom() {
        return size < LEAST_HELD ? Long.MAX_VALUE : places[0];
    }
}
