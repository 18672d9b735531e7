package dev.cagewright.audit.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One line that waits to become durable, and the thread that waits for it or who is to be told. Settled once, by the
/// committer.
final class Pending {
    /// Whether anything may follow.
    enum Finality {
        ORDINARY,
        /// The line freezes the log.
        TERMINAL
    }

    /// Whether the committer is woken for it.
    enum Haste {
        AT_ONCE,
        /// It may wait a little for a line to go with.
        WITH_OTHERS
    }

    final byte[] body;
    final Finality finality;
    private final Haste haste;

    @Nullable
    Pending next;

    /// How many wait in the queue, this one and those below it.
    int depth;

    /// How many of those are in haste.
    int hasty;

    private final Thread waiter = Thread.currentThread();
    private final AuditLog.@Nullable Told told;
    private @Nullable Appended appended;
    private int place;
    private volatile @Nullable Batch batch;

    /// Lines that share one fate, decided by one write for all of them.
    private static final class Batch {
        final List<Pending> lines;
        final @Nullable Throwable failure;
        volatile boolean settled;

        Batch(List<Pending> lines, @Nullable Throwable failure) {
            this.lines = lines;
            this.failure = failure;
        }

        void wake(int place) {
            if (place < lines.size()) {
                LockSupport.unpark(lines.get(place).waiter);
            }
        }
    }

    Pending(byte[] body, Finality finality) {
        this.body = body;
        this.finality = finality;
        this.haste = Haste.AT_ONCE;
        this.told = null;
    }

    /// A line that no thread waits for.
    Pending(byte[] body, AuditLog.Told told, Haste haste) {
        this.body = body;
        this.finality = Finality.ORDINARY;
        this.haste = haste;
        this.told = told;
    }

    /// Puts it on top of the queue.
    void over(@Nullable Pending top) {
        next = top;
        depth = top == null ? 1 : top.depth + 1;
        hasty = (top == null ? 0 : top.hasty) + (haste == Haste.AT_ONCE ? 1 : 0);
    }

    /// Does no thread wait for it?
    boolean isTold() {
        return told != null;
    }

    /// Is there a line in the queue under `top` that somebody waits for?
    static boolean isAwaited(@Nullable Pending top) {
        return top != null && top.hasty > 0;
    }

    /// What will be true once the flush has returned.
    void place(long seq, String hash) {
        appended = new Appended(seq, hash);
    }

    /// Tells all of `lines` what became of them. Only the first thread is woken here; whoever wakes up wakes two
    /// more, so that the committer can go on at once. Nobody sees the end before everybody can see it: a thread
    /// that was woken too early would go to sleep again for good.
    ///
    /// @param failure null if the lines are on the disk
    static void settle(List<Pending> lines, @Nullable Throwable failure) {
        var waited = new ArrayList<Pending>(lines.size());
        var batch = new Batch(waited, failure);
        for (var line : lines) {
            if (line.told == null) {
                line.place = waited.size();
                waited.add(line);
                line.batch = batch;
            }
        }
        batch.settled = true;
        batch.wake(0);
        for (var line : lines) {
            line.tell(failure);
        }
    }

    private void tell(@Nullable Throwable failure) {
        if (told == null) {
            return;
        }
        try {
            told.appended(result(failure));
        } catch (IOException e) {
            told.failed(e);
        }
    }

    /// Tells the calling thread what became of this line, which was written alone.
    ///
    /// @param failure null if the line is on the disk
    void settle(@Nullable Throwable failure) {
        var alone = new Batch(List.of(this), failure);
        alone.settled = true;
        batch = alone;
    }

    /// Waits until this is settled, whatever interrupts; an interrupt is kept for later.
    Appended await() throws IOException {
        boolean interrupted = false;
        var mine = batch;
        while (mine == null || !mine.settled) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
            mine = batch;
        }
        mine.wake(2 * place + 1);
        mine.wake(2 * place + 2);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return result(mine.failure);
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
