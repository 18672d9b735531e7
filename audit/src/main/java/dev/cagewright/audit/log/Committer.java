package dev.cagewright.audit.log;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Who writes, one at a time. A thread that comes while nobody writes and nobody waits writes its own line: no other
/// thread has to be woken for it. Otherwise there is a thread that takes everything that waits, appends it, flushes
/// once, and wakes everybody.
final class Committer implements AutoCloseable {
    /// How many bytes may wait at once; who brings more waits in front of the queue.
    private static final int MAX_WAITING = 64 << 20;

    /// More lines are waited for during at most one part in so many of the time that a commit takes.
    private static final int GATHER_SHARE = 4;

    /// For so many times the last commit's length after it, those who took part are expected back.
    private static final int CROWDED_FOR = 4;

    private final Ledger ledger;
    private final LogLock lock;
    private final Duration patience;
    private final Intake intake = new Intake();
    private final Semaphore room = new Semaphore(MAX_WAITING);
    private final Thread thread;

    /// Whether somebody writes. Whoever ends writing looks afterwards for lines that came meanwhile.
    private final AtomicBoolean writing = new AtomicBoolean();

    /// The lock of a write that an interrupt ended. Belongs to whoever is [#writing].
    private LogLock.@Nullable Held unfinished;

    /// Until then nobody writes alone, by [System#nanoTime].
    private volatile long crowdedUntil = System.nanoTime();

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
            if (!wroteAlone(line)) {
                bring(line);
            }
            return line.await();
        } finally {
            room.release(line.body.length);
        }
    }

    /// Writes `line` in the calling thread if nothing has to be waited for but the disk.
    ///
    /// @return whether `line` is settled
    private boolean wroteAlone(Pending line) {
        if (!intake.isEmpty() || isCrowded() || !writing.compareAndSet(false, true)) {
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
            var batch = held == null ? null : writtenOrNull(held, line);
            if (batch == null) {
                return false;
            }
            batch.settle(null);
        } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError e) {
            var none = ledger.draft().begin();
            none.take(line);
            none.settle(e);
        }
        return true;
    }

    /// An interrupt closes the file under the thread that uses it. Then the lock goes on to the committer's own
    /// thread, which nobody interrupts: it undoes the rest before anybody else can take it for lines.
    private @Nullable Batch writtenOrNull(LogLock.Held held, Pending line) throws IOException {
        try {
            if (ledger.isReady(held)) {
                lookAtNames(held, line.finality);
                return ledger.commit(line);
            }
        } catch (ClosedByInterruptException _) {
            unfinished = held.handOn();
        }
        return null;
    }

    private void passOn() {
        boolean isLeft = unfinished != null;
        writing.set(false);
        if (isLeft || !intake.isEmpty() || closing) {
            LockSupport.unpark(thread);
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
        return mine == null ? lock.acquire(patience) : mine;
    }

    private void ledgerEnd(LogLock.Held held) {
        try {
            ledger.end(held);
        } catch (IOException _) {
            // the verifier tells that the log was not closed
        }
    }

    /// How many lines wait for the next flush.
    int waiting() {
        return intake.waiting();
    }

    private void bring(Pending line) throws IOException {
        if (intake.offer(line) && !writing.get()) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!intake.isClosed()) {
            if ((intake.isEmpty() && !closing) || !writing.compareAndSet(false, true)) {
                LockSupport.park(this);
                continue;
            }
            commitWaiting();
            if (closing && intake.close()) {
                end();
            } else {
                writing.set(false);
            }
        }
    }

    private void commitWaiting() {
        while (!intake.isEmpty()) {
            takeTurn();
        }
        if (served > 1) {
            crowdedUntil = System.nanoTime() + CROWDED_FOR * lastCommit;
        }
        served = 0;
    }

    /// Takes the log's lock and commits batch after batch, each composed while the one before was flushed, until
    /// nothing waits or another writer does.
    private void takeTurn() {
        Batch flushing = null;
        try (var held = locked()) {
            ledger.catchUp(held);
            lookAtNames(held, intake.nextFinality());
            ledger.seal();
            intake.open(ledger.draft());
            flushing = intake.nextOrNull();
            while (flushing != null) {
                commit(flushing);
                flushing = null;
                gather();
                if (lock.isWanted(held)) {
                    intake.end();
                }
                flushing = intake.nextOrNull();
                if (flushing != null && !goesOn(held, flushing)) {
                    composeAnew(flushing);
                    return;
                }
            }
        } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError e) {
            fail(flushing, e);
        }
    }

    /// Whether `next` can be written where it was composed to stand: nobody took the log or its lock away.
    private boolean goesOn(LogLock.Held held, Batch next) throws IOException {
        if (!lock.isStill(held) || !ledger.isUnchanged(held)) {
            return false;
        }
        lookAtNames(held, next.isTerminal() ? Pending.Finality.TERMINAL : Pending.Finality.ORDINARY);
        return true;
    }

    private void composeAnew(Batch next) {
        var composed = intake.breakOff();
        ledger.takeBack();
        if (composed != null) {
            intake.putBack(composed);
        }
        intake.putBack(next);
    }

    private void commit(Batch batch) throws IOException {
        long start = System.nanoTime();
        ledger.write(batch);
        served = batch.count();
        lastCommit = System.nanoTime() - start;
        batch.settle(null);
    }

    private void fail(@Nullable Batch flushing, Throwable failure) {
        var composed = intake.breakOff();
        ledger.takeBack();
        if (flushing != null) {
            flushing.settle(failure);
        }
        if (composed != null) {
            composed.settle(failure);
        } else if (flushing == null) {
            var none = ledger.draft().begin();
            intake.drainInto(none);
            none.settle(failure);
        }
    }

    private void lookAtNames(LogLock.Held held, Pending.Finality next) throws IOException {
        if (next == Pending.Finality.ORDINARY && !held.namesAreKnown()) {
            ledger.notTainted();
            held.namesAreRight();
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
        while (intake.waiting() < served && System.nanoTime() - start < lastCommit / GATHER_SHARE) {
            Thread.yield();
        }
    }
}
