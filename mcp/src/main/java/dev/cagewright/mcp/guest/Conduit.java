package dev.cagewright.mcp.guest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Bytes on their way from one thread to another, bounded. Whoever writes by [#sink] waits while too much is on its
/// way;
/// [#offer] never waits. Safe for all threads.
final class Conduit {
    private final long most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private long bytes;
    private int taken;
    private boolean isEnded;
    private boolean isBroken;

    /// @param most how many bytes may be on their way
    Conduit(long most) {
        this.most = most;
    }

    /// Takes all of `chunk`, unless too much is on its way already or nobody reads any more.
    ///
    /// @param chunk belongs to this from now on
    boolean offer(byte[] chunk) {
        lock.lock();
        try {
            if (isEnded || isBroken || (bytes > 0 && bytes + chunk.length > most)) {
                return false;
            }
            put(chunk);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void put(byte[] chunk) {
        if (chunk.length > 0) {
            waiting.add(chunk);
            bytes += chunk.length;
            moved.signalAll();
        }
    }

    private void write(byte[] chunk) throws IOException {
        lock.lock();
        try {
            while (!isEnded && !isBroken && bytes > 0 && bytes + chunk.length > most) {
                moved.awaitUninterruptibly();
            }
            if (isEnded || isBroken) {
                throw new IOException("nobody reads any more");
            }
            put(chunk);
        } finally {
            lock.unlock();
        }
    }

    private int read(byte[] into, int from, int count) {
        lock.lock();
        try {
            while (waiting.isEmpty() && !isEnded && !isBroken) {
                moved.awaitUninterruptibly();
            }
            var head = waiting.peek();
            if (head == null || isBroken) {
                return -1;
            }
            int part = Math.min(count, head.length - taken);
            System.arraycopy(head, taken, into, from, part);
            taken += part;
            bytes -= part;
            if (taken == head.length) {
                waiting.remove();
                taken = 0;
            }
            moved.signalAll();
            return part;
        } finally {
            lock.unlock();
        }
    }

    /// Nothing more comes; what is on its way arrives.
    void end() {
        lock.lock();
        try {
            isEnded = true;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Nothing arrives any more, on either side.
    void breakOff() {
        lock.lock();
        try {
            isBroken = true;
            waiting.clear();
            bytes = 0;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Where bytes go in.
    OutputStream sink() {
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                Conduit.this.write(new byte[] {(byte) one});
            }

            @Override
            public void write(byte[] from, int at, int count) throws IOException {
                Objects.checkFromIndexSize(at, count, from.length);
                var chunk = new byte[count];
                System.arraycopy(from, at, chunk, 0, count);
                Conduit.this.write(chunk);
            }
        };
    }

    /// Where they come out.
    InputStream source() {
        return new InputStream() {
            @Override
            public int read() {
                var one = new byte[1];
                return Conduit.this.read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int from, int count) {
                Objects.checkFromIndexSize(from, count, into.length);
                return count == 0 ? 0 : Conduit.this.read(into, from, count);
            }
        };
    }
}
