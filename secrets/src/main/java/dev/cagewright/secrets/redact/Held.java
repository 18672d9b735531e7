package dev.cagewright.secrets.redact;

import java.util.Arrays;

/// Bytes of a stream that came and may not go yet, by their places in the stream. For one thread at a time.
final class Held {
    private static final int LEAST_ROOM = 1024;

    private byte[] bytes = new byte[LEAST_ROOM];
    private int size;
    private long from;

    void add(byte[] piece) {
        if (size + piece.length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + piece.length));
        }
        System.arraycopy(piece, 0, bytes, size, piece.length);
        size += piece.length;
    }

    /// The place of the first byte that is held.
    long from() {
        return from;
    }

    /// The place behind the last one.
    long to() {
        return from + size;
    }

    byte at(long place) {
        return bytes[(int) (place - from)];
    }

    /// Writes over a byte; nothing happens if it is gone.
    void put(long place, byte value) {
        if (place >= from) {
            bytes[(int) (place - from)] = value;
        }
    }

    /// Lets go of what stands before `place`.
    byte[] release(long place) {
        int count = (int) (place - from);
        var free = Arrays.copyOf(bytes, count);
        System.arraycopy(bytes, count, bytes, 0, size - count);
        size -= count;
        from = place;
        return free;
    }
}
