package dev.cagewright.sandbox.unisolated;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Reads one output to its end, passes on what the budget allows and counts all of it.
final class Drain {
    private final InputStream from;
    private final OutputStream to;
    private final AtomicLong budget;
    private final CountDownLatch done = new CountDownLatch(1);
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    private Drain(InputStream from, OutputStream to, AtomicLong budget) {
        this.from = from;
        this.to = to;
        this.budget = budget;
    }

    static Drain start(InputStream from, OutputStream to, AtomicLong budget) {
        var drain = new Drain(from, to, budget);
        Thread.ofPlatform().daemon().name("cagewright-output").start(drain::run);
        return drain;
    }

    private void run() {
        var buffer = new byte[64 * 1024];
        try (from) {
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                bytes.addAndGet(count);
                pass(buffer, count);
            }
        } catch (IOException _) {
            // The process is gone; so is its output.
        } finally {
            done.countDown();
        }
    }

    private void pass(byte[] buffer, int count) {
        long left = budget.getAndAdd(-count);
        int kept = (int) Math.max(0, Math.min(count, left));
        dropped.addAndGet(count - kept);
        try {
            to.write(buffer, 0, kept);
            to.flush();
        } catch (IOException _) {
            dropped.addAndGet(kept);
        }
    }

    void await(Duration patience) throws InterruptedException {
        boolean _ = done.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    long bytes() {
        return bytes.get();
    }

    boolean truncated() {
        return dropped.get() > 0;
    }
}
