package dev.cagewright.mcp.stdio;

import dev.cagewright.mcp.door.Frame;
import dev.cagewright.mcp.door.Outbox;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Writes messages to a stream, one a line, from a thread of its own, so that nobody but that thread ever waits for
/// whoever reads. What waits is bounded; a reader that takes nothing for too long while others wait is given up. Safe
/// for all threads.
final class LineOutbox implements Outbox, AutoCloseable {
    /// How much waits to be written, bytes, before whoever answers waits too.
    static final long MOST_WAITING = 64L << 20;

    /// How much waits, bytes, when telling is left out.
    private static final long MOST_TOLD = 1L << 20;

    /// How long what waits at the end may take to be read.
    private static final Duration DRAIN = Duration.ofSeconds(5);

    private final OutputStream out;
    private final Duration patience;
    private final Runnable whenGivenUp;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private final Thread writer;
    private long bytes;
    private long lastMoved = System.nanoTime();
    private boolean isClosing;
    private boolean isGone;

    /// @param patience how long a reader may take nothing while others wait
    /// @param whenGivenUp runs once when the reader is gone or given up
    LineOutbox(OutputStream out, Duration patience, Runnable whenGivenUp) {
        this.out = out;
        this.patience = patience;
        this.whenGivenUp = whenGivenUp;
        this.writer = Thread.ofPlatform().daemon().name("mcp-writer").unstarted(this::write);
        this.writer.start();
    }

    @Override
    public void answer(Frame frame) {
        var line = line(frame);
        lock.lock();
        try {
            long left = patience.toNanos();
            while (!isGone && bytes > 0 && bytes + line.length > MOST_WAITING) {
                if (left <= 0) {
                    giveUp();
                } else {
                    moved.awaitNanos(left);
                    left = patience.toNanos() - (System.nanoTime() - lastMoved);
                }
            }
            put(line);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void noAnswer() {}

    @Override
    public void ask(Frame frame) {
        answer(frame);
    }

    @Override
    public void tell(Frame frame) {
        var line = line(frame);
        lock.lock();
        try {
            if (bytes < MOST_TOLD) {
                put(line);
            }
        } finally {
            lock.unlock();
        }
    }

    private static byte[] line(Frame frame) {
        var text = frame.bytes();
        var line = new byte[text.length + 1];
        System.arraycopy(text, 0, line, 0, text.length);
        line[text.length] = '\n';
        return line;
    }

    private void put(byte[] line) {
        if (!isGone && !isClosing) {
            if (waiting.isEmpty()) {
                lastMoved = System.nanoTime();
            }
            waiting.add(line);
            bytes += line.length;
            moved.signalAll();
        }
    }

    private void giveUp() {
        if (!isGone) {
            isGone = true;
            waiting.clear();
            bytes = 0;
            moved.signalAll();
            Thread.ofVirtual().name("mcp-given-up").start(whenGivenUp);
        }
    }

    private void write() {
        try {
            for (byte[] line = take(); line.length > 0; line = take()) {
                out.write(line);
                out.flush();
                written(line.length);
            }
        } catch (IOException _) {
            lock.lock();
            try {
                giveUp();
            } finally {
                lock.unlock();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// The next line, when there is one; an empty one at the end.
    private byte[] take() throws InterruptedException {
        lock.lock();
        try {
            while (waiting.isEmpty() && !isClosing && !isGone) {
                moved.await();
            }
            var line = waiting.poll();
            return line == null ? new byte[0] : line;
        } finally {
            lock.unlock();
        }
    }

    private void written(int length) {
        lock.lock();
        try {
            bytes = Math.max(0, bytes - length);
            lastMoved = System.nanoTime();
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Writes what waits, as long as the reader takes it, and nothing after that.
    @Override
    public void close() {
        lock.lock();
        try {
            isClosing = true;
            moved.signalAll();
            long left = DRAIN.toNanos();
            while (bytes > 0 && !isGone && left > 0) {
                left = moved.awaitNanos(left);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
