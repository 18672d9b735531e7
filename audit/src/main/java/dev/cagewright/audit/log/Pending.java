package dev.cagewright.audit.log;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One line that waits to become durable, and the thread that waits for it.
final class Pending {
    /// Whether anything may follow.
    enum Finality {
        ORDINARY,
        /// The line freezes the log.
        TERMINAL
    }

    final byte[] body;
    final Finality finality;
    final Thread waiter = Thread.currentThread();

    @Nullable
    Pending next;

    /// How many wait in the queue, this one and those below it.
    int depth;

    private @Nullable Appended appended;
    private int place;

    /// The batch whose fate this shares; null as long as there is none.
    volatile @Nullable Batch batch;

    Pending(byte[] body, Finality finality) {
        this.body = body;
        this.finality = finality;
    }

    /// Shares the fate of `newBatch`, whose line at `newPlace` this is.
    void join(Batch newBatch, int newPlace) {
        place = newPlace;
        batch = newBatch;
    }

    /// What will be true once the flush has returned.
    void placed(long seq, String hash) {
        appended = new Appended(seq, hash);
    }

    /// Waits until its batch is settled, whatever interrupts; an interrupt is kept for later.
    Appended await() throws IOException {
        boolean interrupted = false;
        var mine = batch;
        while (mine == null || !mine.isSettled()) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
            mine = batch;
        }
        mine.wakeBehind(place);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return result(mine.failure());
    }

    private Appended result(@Nullable Throwable failure) throws IOException {
        var result = appended;
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
        if (result == null) {
            throw new IllegalStateException("line: settled without a place (expected: placed by the committer)");
        }
        return result;
    }
}
