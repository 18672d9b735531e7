package dev.cagewright.audit.log;

import dev.cagewright.audit.event.LineComposer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Lines that share one flush and one fate, in the order of the log. Filled by one thread at a time, settled once.
final class Batch {
    /// Only this many waiters are woken by whoever settles; each of them wakes as many again.
    private static final int WAKES = 2;

    private final LineComposer text;
    private Pending[] lines = new Pending[WAKES];
    private int count;
    private long last;
    private @Nullable Throwable failure;
    private volatile boolean settled;

    /// @param text holds the lines until this is settled
    Batch(LineComposer text) {
        this.text = text;
    }

    LineComposer text() {
        return text;
    }

    /// The number of the last line.
    long last() {
        return last;
    }

    void endsIn(long seq) {
        last = seq;
    }

    int count() {
        return count;
    }

    List<Pending> lines() {
        return Arrays.asList(lines).subList(0, count);
    }

    /// Makes room for one more line: taking it needs no memory then.
    void reserve() {
        if (count == lines.length) {
            lines = Arrays.copyOf(lines, 2 * count);
        }
    }

    /// From now on `line` waits for this batch, which has room for it.
    void take(Pending line) {
        lines[count] = line;
        line.join(this, count++);
    }

    /// Whether its only line is the log's last one.
    boolean isTerminal() {
        return count == 1 && lines[0].finality == Pending.Finality.TERMINAL;
    }

    /// Tells all lines what became of them. Only the first threads are woken here; whoever wakes up wakes two
    /// more, so that the caller can go on at once. Nobody sees the end before everybody can see it: a thread
    /// that was woken too early would go to sleep again for good.
    ///
    /// @param reason null if the lines are on the disk
    void settle(@Nullable Throwable reason) {
        failure = reason;
        settled = true;
        wakeFrom(0);
    }

    boolean isSettled() {
        return settled;
    }

    /// Why a settled batch is not on the disk.
    @Nullable
    Throwable failure() {
        return failure;
    }

    /// Wakes those who depend on the waiter of the line at `place`.
    void wakeBehind(int place) {
        wakeFrom(WAKES * (place + 1));
    }

    private void wakeFrom(int from) {
        int to = Math.min(count, from + WAKES);
        for (int place = from; place < to; place++) {
            if (lines[place].waiter != Thread.currentThread()) {
                LockSupport.unpark(lines[place].waiter);
            }
        }
    }
}
