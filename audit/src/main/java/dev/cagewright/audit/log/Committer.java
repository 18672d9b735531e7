package dev.cagewright.audit.log;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The one thread that writes: takes everything that waits, appends it, flushes once, wakes everybody.
final class Committer implements AutoCloseable {
    /// How many bytes may wait at once; who brings more waits in front of the queue.
    private static final int MAX_WAITING = 64 << 20;

    /// How many bytes one flush takes.
    private static final int MAX_BATCH = 4 << 20;

    /// More lines are waited for during at most one part in so many of the time that a commit takes.
    private static final int GATHER_SHARE = 4;

    private static final Pending CLOSED = new Pending(new byte[0], Pending.Finality.TERMINAL);

    private final Ledger ledger;
    private final LogLock lock;
    private final Duration patience;
    private final AtomicReference<@Nullable Pending> newest = new AtomicReference<>();
    private final Semaphore room = new Semaphore(MAX_WAITING);
    private final Thread thread;
    private volatile boolean closing;

    /// How many lines the last commits took, and how long that lasted in nanoseconds.
    private int served;

    private long lastCommit;

    Committer(Ledger ledger, LogLock lock, Duration patience) {
        this.ledger = ledger;
        this.lock = lock;
        this.patience = patience;
        this.thread = Thread.ofPlatform().name("audit-log").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /// Returns once `line` is on the disk.
    Appended append(Pending line) throws IOException {
        room.acquireUninterruptibly(line.body.length);
        try {
            push(line);
            return line.await();
        } finally {
            room.release(line.body.length);
        }
    }

    /// Commits what waits, then refuses everything.
    @Override
    public void close() throws IOException {
        closing = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        end();
        ledger.close();
        lock.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// What fails here was acknowledged and stays durable: the log only lacks the proof that it was closed.
    private void end() {
        try (var _ = lock.acquire(patience)) {
            ledgerEnd();
            ledger.trim();
        } catch (IOException _) {
            // zeros behind the last line are its end
        }
    }

    private void ledgerEnd() {
        try {
            ledger.end();
        } catch (IOException _) {
            // the verifier tells that the log was not closed
        }
    }

    /// How many lines wait in the queue.
    int waiting() {
        var top = newest.get();
        return top == null ? 0 : top.depth;
    }

    private void push(Pending line) throws IOException {
        while (true) {
            var top = newest.get();
            if (top == CLOSED) {
                throw new IOException("the audit log is closed");
            }
            line.next = top;
            line.depth = top == null ? 1 : top.depth + 1;
            if (newest.compareAndSet(top, line)) {
                if (top == null) {
                    LockSupport.unpark(thread);
                }
                return;
            }
        }
    }

    private void run() {
        while (true) {
            gather();
            var all = newest.getAndSet(null);
            if (all != null) {
                served = all.depth;
                long start = System.nanoTime();
                commitAll(inOrder(all));
                lastCommit = System.nanoTime() - start;
            } else if (!closing) {
                LockSupport.park(this);
            } else if (newest.compareAndSet(null, CLOSED)) {
                return;
            }
        }
    }

    /// Threads that were just served come back with their next lines: waits for as many as there were, but never
    /// long. A single producer is never waited for.
    @SuppressWarnings("ThreadPriorityCheck") // yields to the producers it waits for; two cores may be all there are
    private void gather() {
        if (served < 2) {
            return;
        }
        long start = System.nanoTime();
        while (System.nanoTime() - start < lastCommit / GATHER_SHARE) {
            var top = newest.get();
            if (top != null && top.depth >= served) {
                return;
            }
            Thread.yield();
        }
    }

    private static List<Pending> inOrder(Pending newest) {
        var lines = new ArrayList<Pending>();
        for (var line = newest; line != null; line = line.next) {
            lines.add(line);
        }
        return lines.reversed();
    }

    private void commitAll(List<Pending> lines) {
        int from = 0;
        while (from < lines.size()) {
            int to = batchEnd(lines, from);
            commit(lines.subList(from, to));
            from = to;
        }
    }

    /// A terminal line goes alone, so that a marker which refuses the lines before it does not refuse the panic.
    private static int batchEnd(List<Pending> lines, int from) {
        int bytes = 0;
        int to = from;
        while (to < lines.size() && bytes < MAX_BATCH) {
            var line = lines.get(to);
            if (line.finality == Pending.Finality.TERMINAL) {
                return to == from ? to + 1 : to;
            }
            bytes += line.body.length;
            to++;
        }
        return to;
    }

    private void commit(List<Pending> lines) {
        try (var _ = lock.acquire(patience)) {
            ledger.catchUp();
            if (lines.getFirst().finality == Pending.Finality.ORDINARY) {
                ledger.notTainted();
            }
            ledger.seal();
            ledger.commit(lines);
        } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError e) {
            Pending.settle(lines, e);
            return;
        }
        Pending.settle(lines, null);
    }
}
