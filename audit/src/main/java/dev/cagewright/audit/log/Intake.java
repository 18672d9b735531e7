package dev.cagewright.audit.log;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The lines that wait, and the batch that they are composed into while the one before is flushed. Whoever brings
/// a line when many wait composes them all, if nobody else is composing. Safe for all threads.
final class Intake {
    /// How many bytes one flush takes.
    private static final int MAX_BATCH = 4 << 20;

    /// So many lines are composed at once, but for those that come last: one at a time, what composing needs would
    /// move from processor to processor with every line.
    private static final int STRETCH = 128;

    private static final Pending CLOSED = new Pending(new byte[0], Pending.Finality.TERMINAL);

    private final AtomicReference<@Nullable Pending> newest = new AtomicReference<>();
    private final AtomicBoolean composing = new AtomicBoolean();

    /// What left the queue and is not composed yet, oldest first. This and what follows belongs to whoever is
    /// [#composing].
    private @Nullable Pending first;

    private @Nullable Pending last;
    private @Nullable Draft draft;
    private @Nullable Throwable broken;
    private boolean ending;

    /// The batch that takes lines; null while none does.
    private volatile @Nullable Batch open;

    /// How many lines wait that left the queue.
    private final AtomicInteger arranged = new AtomicInteger();

    /// Takes `line`.
    ///
    /// @return whether nothing waited before
    boolean offer(Pending line) throws IOException {
        while (true) {
            var top = newest.get();
            if (top == CLOSED) {
                throw new IOException("the audit log is closed");
            }
            line.next = top;
            line.depth = top == null ? 1 : top.depth + 1;
            if (newest.compareAndSet(top, line)) {
                if (line.depth >= STRETCH) {
                    compose();
                }
                return top == null;
            }
        }
    }

    private void compose() {
        while (open != null && newest.get() != null && composing.compareAndSet(false, true)) {
            try {
                if (!fill()) {
                    return;
                }
            } finally {
                composing.set(false);
            }
        }
    }

    /// Whether no line waits that nobody composed.
    boolean isEmpty() {
        return newest.get() == null && arranged.get() == 0;
    }

    /// How many lines wait for the next flush.
    int waiting() {
        var top = newest.get();
        return arranged.get() + (top == null ? 0 : top.depth);
    }

    /// Refuses all further lines, unless some wait.
    ///
    /// @return whether it does
    boolean close() {
        return newest.compareAndSet(null, CLOSED);
    }

    boolean isClosed() {
        return newest.get() == CLOSED;
    }

    /// Of the line that is to be composed next. Called while no batch takes lines.
    Pending.Finality nextFinality() {
        lock();
        try {
            arrange();
            return first == null ? Pending.Finality.ORDINARY : first.finality;
        } finally {
            composing.set(false);
        }
    }

    /// From now on, lines are composed behind what `newDraft` starts from.
    void open(Draft newDraft) {
        lock();
        try {
            draft = newDraft;
            broken = null;
            ending = false;
            open = newDraft.begin();
        } finally {
            composing.set(false);
        }
    }

    /// The next batch ends what was opened.
    void end() {
        lock();
        ending = true;
        composing.set(false);
    }

    /// Takes the batch that is to be flushed next; the lines that come meanwhile go into another one. Without lines
    /// there is none, and no more of them are composed.
    ///
    /// @throws IOException if composing failed; the reason is its cause
    @Nullable
    Batch nextOrNull() throws IOException {
        lock();
        try {
            fill();
            var batch = open;
            if (broken != null) {
                throw new IOException(broken.getMessage(), broken);
            }
            if (batch == null || draft == null || batch.count() == 0) {
                open = null;
                return null;
            }
            draft.end(batch);
            open = ending || batch.isTerminal() ? null : draft.begin();
            arranged.addAndGet(-batch.count());
            return batch;
        } finally {
            composing.set(false);
        }
    }

    /// Composes no more. Returns what was composed and cannot be flushed; null if nothing was.
    @Nullable
    Batch breakOff() {
        lock();
        try {
            var batch = open;
            open = null;
            arranged.addAndGet(batch == null ? 0 : -batch.count());
            return batch == null || batch.count() == 0 ? null : batch;
        } finally {
            composing.set(false);
        }
    }

    /// What waits goes into `batch` without being composed, since nothing can be. A terminal line goes alone here too.
    void drainInto(Batch batch) {
        lock();
        try {
            arrange();
            while (first != null && fits(batch, first)) {
                batch.reserve();
                batch.take(next(first));
            }
            arranged.addAndGet(-batch.count());
        } finally {
            composing.set(false);
        }
    }

    /// The lines of `batch` wait again, before all others, to be composed anew. Called while no batch takes lines.
    void putBack(Batch batch) {
        lock();
        try {
            batch.lines().reversed().forEach(line -> {
                line.next = first;
                last = first == null ? line : last;
                first = line;
            });
            arranged.addAndGet(batch.count());
        } finally {
            composing.set(false);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // whoever composes may need this processor
    private void lock() {
        while (!composing.compareAndSet(false, true)) {
            Thread.yield();
        }
    }

    /// Composes what waits, as far as it fits.
    ///
    /// @return false if nothing can be composed any more
    private boolean fill() {
        var batch = open;
        var onto = draft;
        if (batch == null || onto == null || broken != null) {
            return false;
        }
        arrange();
        var line = first;
        try {
            while (line != null && fits(batch, line)) {
                batch.reserve();
                onto.add(batch, line);
                line = line.next;
                first = line;
            }
        } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
            broken = e;
            // no call here: there may be no stack left for one
            first = line != null && line.batch == batch ? line.next : line;
        }
        return broken == null;
    }

    private Pending next(Pending line) {
        first = line.next;
        return line;
    }

    /// A terminal line goes alone, so that a marker which refuses the lines before it does not refuse the panic.
    private static boolean fits(Batch batch, Pending line) {
        return batch.count() == 0
                || (line.finality == Pending.Finality.ORDINARY
                        && !batch.isTerminal()
                        && batch.text().size() < MAX_BATCH);
    }

    /// Turns the queue round, behind what waits already.
    private void arrange() {
        var top = newest.get() == null ? null : newest.getAndSet(null);
        if (top == null) {
            return;
        }
        arranged.addAndGet(top.depth);
        var tail = top;
        Pending head = null;
        for (var line = top; line != null; ) {
            var below = line.next;
            line.next = head;
            head = line;
            line = below;
        }
        if (first == null) {
            first = head;
        } else if (last != null) {
            last.next = head;
        }
        last = tail;
    }
}
