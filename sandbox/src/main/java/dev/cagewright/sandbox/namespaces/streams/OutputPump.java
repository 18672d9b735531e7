package dev.cagewright.sandbox.namespaces.streams;

import dev.cagewright.sandbox.Descriptor;
import dev.cagewright.sandbox.kernel.FileControl;
import dev.cagewright.sandbox.kernel.KernelException;
import dev.cagewright.sandbox.kernel.Polling;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Carries one output of a program to the caller, as long as anybody in the cage holds it open: reads
/// everything, passes on what the budget allows, counts the rest. Owns its descriptor. Until the first byte it
/// waits together with all others; a program that says nothing costs no thread.
final class OutputPump {
    private static final int BUFFER_BYTES = 64 * 1024;

    /// How long it stays quiet after the program's end until its output counts as complete.
    private static final int QUIET_MILLIS = 100;

    private final Descriptor source;
    private final OutputStream sink;
    private final AtomicLong budget;
    private final EndMark endMark;
    private final CountDownLatch complete = new CountDownLatch(1);
    private @Nullable Readiness readiness;
    private State state = State.NEW;
    private long bytes;
    private boolean truncated;
    private boolean programEnded;

    private enum State {
        NEW,
        WATCHED,
        PUMPED,
        OVER
    }

    /// What has come through.
    record Count(long bytes, boolean truncated) {
        static final Count NOTHING = new Count(0, /* truncated= */ false);
    }

    OutputPump(Descriptor source, OutputStream sink, AtomicLong budget, EndMark endMark) {
        this.source = source;
        this.sink = sink;
        this.budget = budget;
        this.endMark = endMark.share();
    }

    /// Has a thread carry from now on.
    synchronized void start() {
        state = State.PUMPED;
        PumpThreads.start(this::run);
    }

    /// Instead of [#start], for a pipe: `readiness` waits for the first byte.
    synchronized void watch(Readiness readiness) {
        state = State.WATCHED;
        this.readiness = readiness;
        readiness.watch(source, this::settle);
    }

    /// The program is gone: if others hold the pipe open, a thread waits for what they write.
    void programEnded() {
        settle();
    }

    private synchronized void settle() {
        var watching = readiness;
        if (state != State.WATCHED || watching == null) {
            return;
        }
        if (isAtEnd()) {
            state = State.OVER;
            watching.retire(source);
            endMark.close();
            complete.countDown();
        } else {
            state = State.PUMPED;
            watching.giveBack(source, () -> PumpThreads.start(this::run));
        }
    }

    /// Nothing to read, now or ever.
    private boolean isAtEnd() {
        try {
            return FileControl.available(source.number()) == 0
                    && Polling.readable(List.of(source.number()), 0)[0]
                    && FileControl.available(source.number()) == 0;
        } catch (KernelException _) {
            return false;
        }
    }

    /// Nobody will read it any more.
    synchronized void abandon() {
        var watching = readiness;
        if (state == State.NEW) {
            source.close();
        } else if (state == State.WATCHED && watching != null) {
            watching.retire(source);
        } else {
            return; // whoever reads it closes it
        }
        state = State.OVER;
        endMark.close();
        complete.countDown();
    }

    private void run() {
        try (source;
                endMark;
                var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(BUFFER_BYTES);
            while (waitForBytes()) {
                int count = FileControl.read(source.number(), buffer);
                if (count == 0) {
                    break;
                }
                pass(buffer.asSlice(0, count));
            }
        } catch (KernelException _) {
            // EIO: the last process has left the terminal
        } finally {
            finish();
        }
    }

    /// Waits until there is something to read or nothing will come; marks the output complete when the
    /// program has ended and it has been quiet since.
    private boolean waitForBytes() throws KernelException {
        while (true) {
            if (!programEnded) {
                var ready = Polling.readable(List.of(source.number(), endMark.number()), Polling.FOREVER);
                programEnded = ready[1];
                if (ready[0]) {
                    return true;
                }
            } else if (complete.getCount() > 0) {
                if (Polling.readable(List.of(source.number()), QUIET_MILLIS)[0]) {
                    return true;
                }
                flush();
                complete.countDown();
            } else if (Polling.readable(List.of(source.number()), Polling.FOREVER)[0]) {
                return true;
            }
        }
    }

    private void pass(MemorySegment chunk) {
        long allowed = take(chunk.byteSize());
        synchronized (this) {
            bytes += chunk.byteSize();
            truncated |= allowed < chunk.byteSize();
        }
        if (allowed == 0 || complete.getCount() == 0) {
            return;
        }
        try {
            sink.write(chunk.asSlice(0, allowed).toArray(ValueLayout.JAVA_BYTE));
            if (allowed < BUFFER_BYTES) {
                sink.flush();
            }
        } catch (IOException _) {
            cut();
        }
    }

    /// The caller's stream does not take any more: the rest is drained.
    private synchronized void cut() {
        truncated = true;
        budget.set(0);
    }

    private long take(long wanted) {
        long before = budget.getAndUpdate(left -> left - Math.min(left, wanted));
        return Math.min(before, wanted);
    }

    private void flush() {
        try {
            sink.flush();
        } catch (IOException _) {
            cut();
        }
    }

    private void finish() {
        if (complete.getCount() > 0) {
            flush();
            complete.countDown();
        }
    }

    /// Waits until the output is complete, or marks it cut when that takes too long.
    void await(long nanos) throws InterruptedException {
        if (!complete.await(nanos, TimeUnit.NANOSECONDS)) {
            synchronized (this) {
                truncated = true;
            }
        }
    }

    synchronized Count count() {
        return new Count(bytes, truncated);
    }
}
