package dev.cagewright.audit.log;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One line that waits to become durable, and the thread that waits for it. Settled once, by the committer.
final class Pending {
    /// Whether anything may follow.
    enum Finality {
        ORDINARY,
        /// The line freezes the log.
        TERMINAL
    }

    final byte[] body;
    final Finality finality;

    @Nullable
    Pending next;

    private final Thread waiter = Thread.currentThread();
    private @Nullable Appended appended;
    private @Nullable Throwable failure;
    private volatile boolean settled;

    Pending(byte[] body, Finality finality) {
        this.body = body;
        this.finality = finality;
    }

    /// What will be true once the flush has returned.
    void place(long seq, String hash) {
        appended = new Appended(seq, hash);
    }

    void succeed() {
        settled = true;
        LockSupport.unpark(waiter);
    }

    void fail(Throwable cause) {
        failure = cause;
        settled = true;
        LockSupport.unpark(waiter);
    }

    /// Waits until this is settled, whatever interrupts; an interrupt is kept for later.
    Appended await() throws IOException {
        boolean interrupted = false;
        while (!settled) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        var result = appended;
        if (failure != null || result == null) {
            throw new IOException(failure == null ? "the line was never placed" : failure.getMessage(), failure);
        }
        return result;
    }
}
