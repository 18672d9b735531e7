package dev.cagewright.audit.log;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Who writes, one at a time. A thread that comes while nobody writes and nobody waits writes its own line: no other
/// thread has to be woken for it. Otherwise there is a thread that takes everything that waits, appends it, flushes
/// once, and wakes everybody.
final class Committer implements AutoCloseable {
    /// How many bytes may wait at once; who brings more waits in front of the queue.
    private static final int MAX_WAITING = 64 << 20;

    /// How many bytes one flush takes.
    private static final int MAX_BATCH = 4 << 20;

    /// More lines are waited for during at most one part in so many of the time that a commit takes.
    private static final int GATHER_SHARE = 4;

    /// For so many times the last commit's length after it, those who took part are expected back.
    private static final int CROWDED_FOR = 4;

    /// How often the thread looks by itself for lines in no haste: twice in the time that they may wait.
    private static final long GLANCE = AuditLog.LINGERING.toNanos() * 2 / 5;

    /// For so long after a commit it does.
    private static final long WAKEFUL = 100_000_000;

    private static final Pending CLOSED = new Pending(new byte[0], Pending.Finality.TERMINAL);

    private final Ledger ledger;
    private final LogLock lock;
    private final Duration patience;
    private final AtomicReference<@Nullable Pending> newest = new AtomicReference<>();
    private final Semaphore room = new Semaphore(MAX_WAITING);
    private final Thread thread;

    /// Whether somebody writes. Whoever ends writing looks afterwards for lines that came meanwhile.
    private final AtomicBoolean writing = new AtomicBoolean();

    /// The lock of a write that an interrupt ended. Belongs to whoever is [#writing].
    private LogLock.@Nullable Held unfinished;

    /// Until then nobody writes alone, by [System#nanoTime].
    private volatile long crowdedUntil = System.nanoTime();

    private volatile boolean closing;

    /// Whether the thread sleeps until it is woken.
    private volatile boolean asleep;

    /// When the last commit ended, by [System#nanoTime], and when lines in no haste were first seen, or 0.
    private long ended = System.nanoTime() - WAKEFUL;

    private long seen;

    /// How many lines the last commits took, and how long that lasted in nanoseconds.
    private int served;

    /// Whether the last of them had no thread that waited.
    private boolean areTold;

    /// How many lines in haste the thread waits for, or 0.
    private volatile int expected;

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
            if (!wroteAlone(line)) {
                push(line);
            }
            return line.await();
        } finally {
            room.release(line.body.length);
        }
    }

    /// Takes a line that no thread waits for.
    ///
    /// @throws IOException if it is not taken; nobody is told
    void submit(byte[] body, AuditLog.Told told, Pending.Haste haste) throws IOException {
        if (!room.tryAcquire(body.length)) {
            throw new IOException("the audit log has " + MAX_WAITING + " bytes waiting for the disk");
        }
        try {
            push(new Pending(body, new Leaving(told, body.length), haste));
        } catch (IOException e) {
            room.release(body.length);
            throw e;
        }
    }

    /// Makes room before it tells. Whoever is told cannot stop the committer.
    private final class Leaving implements AuditLog.Told {
        private final AuditLog.Told told;
        private final int bytes;

        Leaving(AuditLog.Told told, int bytes) {
            this.told = told;
            this.bytes = bytes;
        }

        @Override
        public void appended(Appended line) {
            leave(() -> told.appended(line));
        }

        @Override
        public void failed(IOException why) {
            leave(() -> told.failed(why));
        }

        private void leave(Runnable telling) {
            room.release(bytes);
            try {
                telling.run();
            } catch (RuntimeException | StackOverflowError _) {
                // theirs alone
            }
        }
    }

    /// Writes `line` in the calling thread if nothing has to be waited for but the disk.
    ///
    /// @return whether `line` is settled
    private boolean wroteAlone(Pending line) {
        if (Pending.isAwaited(newest.get()) || isCrowded() || !writing.compareAndSet(false, true)) {
            return false;
        }
        boolean interrupted = Thread.interrupted();
        try {
            return unfinished == null && wroteUnderLock(line);
        } finally {
            passOn();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Of many producers the first one back must not flush alone: the others would wait for that, and flush again.
    private boolean isCrowded() {
        return System.nanoTime() - crowdedUntil < 0;
    }

    private boolean wroteUnderLock(Pending line) {
        try (var held = lock.acquireOrNull()) {
            if (held == null || !wrote(held, line)) {
                return false;
            }
        } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError e) {
            line.settle(e);
            return true;
        }
        line.settle(null);
        return true;
    }

    /// An interrupt closes the file under the thread that uses it. Then the lock goes on to the committer's own
    /// thread, which nobody interrupts: it undoes the rest before anybody else can take it for lines.
    private boolean wrote(LogLock.Held held, Pending line) throws IOException {
        try {
            if (ledger.isReady(held)) {
                write(held, List.of(line));
                return true;
            }
        } catch (ClosedByInterruptException _) {
            unfinished = held.handOn();
        }
        return false;
    }

    private void passOn() {
        boolean isLeft = unfinished != null;
        writing.set(false);
        if (isLeft || needsWaking(newest.get()) || closing) {
            LockSupport.unpark(thread);
        }
    }

    /// Lines that are in no haste are seen by a thread that looks by itself before long.
    private boolean needsWaking(@Nullable Pending top) {
        return Pending.isAwaited(top) || (top != null && asleep);
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
        ledger.close();
        lock.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// What fails here was acknowledged and stays durable: the log only lacks the proof that it was closed.
    private void end() {
        try (var held = locked()) {
            ledgerEnd(held);
            ledger.trim();
        } catch (IOException _) {
            // zeros behind the last line are its end
        }
    }

    private LogLock.Held locked() throws IOException {
        var mine = unfinished;
        unfinished = null;
        if (mine == null) {
            mine = lock.acquireOrNull();
        }
        return mine == null ? lock.acquire(patience) : mine;
    }

    private void ledgerEnd(LogLock.Held held) {
        try {
            ledger.end(held);
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
            line.over(top);
            if (newest.compareAndSet(top, line)) {
                boolean isFirst = !Pending.isAwaited(top) && needsWaking(line) && !writing.get();
                if (isFirst || line.hasty == expected) {
                    LockSupport.unpark(thread);
                }
                return;
            }
        }
    }

    private void run() {
        while (newest.get() != CLOSED) {
            if (!isDue()) {
                rest();
                continue;
            }
            if (!writing.compareAndSet(false, true)) {
                LockSupport.parkNanos(this, GLANCE);
                continue;
            }
            commitWaiting();
            if (closing && newest.compareAndSet(null, CLOSED)) {
                end();
            } else {
                writing.set(false);
            }
        }
    }

    /// Is there something to do at once? What is in no haste waits for a while after it was seen here.
    private boolean isDue() {
        var top = newest.get();
        if (closing || Pending.isAwaited(top)) {
            return true;
        }
        if (top == null) {
            seen = 0;
            return false;
        }
        if (seen == 0) {
            seen = System.nanoTime() | 1;
        }
        return System.nanoTime() - seen >= GLANCE;
    }

    /// Looks by itself again soon while lines come, so that not each of them has to wake this thread; sleeps when none
    /// has come for a while.
    private void rest() {
        if (newest.get() != null || System.nanoTime() - ended < WAKEFUL) {
            LockSupport.parkNanos(this, GLANCE);
            return;
        }
        asleep = true;
        if (newest.get() == null && !closing) {
            LockSupport.park(this);
        }
        asleep = false;
    }

    private void commitWaiting() {
        var all = newest.getAndSet(null);
        while (all != null) {
            served = all.hasty;
            areTold = all.isTold();
            long start = System.nanoTime();
            commitAll(inOrder(all));
            ended = System.nanoTime();
            lastCommit = ended - start;
            gather();
            all = Pending.isAwaited(newest.get()) ? newest.getAndSet(null) : null;
        }
        if (served > 1) {
            crowdedUntil = System.nanoTime() + CROWDED_FOR * lastCommit;
        }
        served = 0;
        seen = 0;
    }

    /// Those who were just served come back with their next lines: waits for as many as there were, but never long.
    /// A single producer is never waited for. Threads come back at once; who was told has other things to do first,
    /// and the time is for them.
    @SuppressWarnings("ThreadPriorityCheck") // yields to the producers it waits for; two cores may be all there are
    private void gather() {
        if (served < 2) {
            return;
        }
        expected = served;
        long start = System.nanoTime();
        long left = areTold ? 2 * lastCommit : lastCommit / GATHER_SHARE;
        while (left > 0 && !isComplete(newest.get())) {
            if (areTold) {
                LockSupport.parkNanos(this, left);
            } else {
                Thread.yield();
            }
            left -= System.nanoTime() - start;
            start = System.nanoTime();
        }
        expected = 0;
    }

    private boolean isComplete(@Nullable Pending top) {
        return top != null && top.hasty >= expected;
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
        try (var held = locked()) {
            ledger.catchUp(held);
            write(held, lines);
        } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError e) {
            Pending.settle(lines, e);
            return;
        }
        Pending.settle(lines, null);
    }

    private void write(LogLock.Held held, List<Pending> lines) throws IOException {
        if (lines.getFirst().finality == Pending.Finality.ORDINARY && !held.namesAreKnown()) {
            ledger.notTainted();
            held.namesAreRight();
        }
        ledger.seal();
        ledger.commit(lines);
    }
}
