package dev.cagewright.supervisor.resident.wire;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;

/// A program's input as it comes in frames: holds at most [#ROOM] bytes and says when there is room again, so that
/// whoever reads the frames never waits. Safe for all threads.
public final class Incoming extends InputStream {
    /// So many bytes may come before anything is read.
    public static final int ROOM = 256 << 10;

    private final Line line;
    private final Deque<byte[]> waiting = new ArrayDeque<>();

    /// Within the first of `waiting`.
    private int position;

    private int held;
    private boolean isOver;

    public Incoming(Line line) {
        this.line = line;
    }

    /// Takes what came.
    ///
    /// @throws IOException if it is more than there was room for
    public synchronized void take(byte[] bytes) throws IOException {
        held += bytes.length;
        if (held > ROOM) {
            throw new IOException("more input than there was room for");
        }
        if (bytes.length > 0 && !isOver) {
            waiting.addLast(bytes);
            notifyAll();
        }
    }

    /// Nothing more comes.
    public synchronized void end() {
        isOver = true;
        notifyAll();
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] into, int from, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        int read = taken(into, from, count);
        if (read > 0) {
            line.write(Frame.of(Frame.Kind.ROOM, read));
        }
        return read;
    }

    private synchronized int taken(byte[] into, int from, int count) throws IOException {
        while (waiting.isEmpty()) {
            if (isOver) {
                return -1;
            }
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
        var first = waiting.getFirst();
        int read = Math.min(count, first.length - position);
        System.arraycopy(first, position, into, from, read);
        position += read;
        held -= read;
        if (position == first.length) {
            waiting.removeFirst();
            position = 0;
        }
        return read;
    }

    @Override
    public synchronized int available() {
        return held;
    }
}
