package dev.cagewright.supervisor.resident;

import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.Run;
import dev.cagewright.supervisor.resident.caller.Callers.Caller;
import dev.cagewright.supervisor.session.RunWatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// One program of a named cage, from before it starts: what is sent to it before it runs waits for it. Whoever asked
/// for
/// it may go away, then it is asked to end, and made to. Safe for all threads.
final class LivingProgram implements RunWatcher {
    /// signal(7)
    private static final int HUP = 1;

    private static final int KILL = 9;
    private static final int TERM = 15;

    /// What a program is told when its cage goes down.
    enum Farewell {
        /// Those who have pipes.
        TERMINATE(TERM),
        /// Those who have a terminal: shells there hear nothing else.
        HANG_UP(HUP);

        private final int signal;

        Farewell(int signal) {
            this.signal = signal;
        }
    }

    /// What a program whose terminal is gone has to clear up, in seconds.
    private static final long PATIENCE = 2;

    private final Caller caller;
    private final Farewell farewell;
    private final Optional<Duration> limit;
    private final Starting starting;
    private final List<Consumer<Run>> early = new ArrayList<>();
    private Optional<Run> run = Optional.empty();
    private final CountDownLatch over = new CountDownLatch(1);
    private boolean isLate;

    /// Whoever wants to hear that a program is about to start.
    @FunctionalInterface
    interface Starting {
        /// It is about to start.
        ///
        /// @param id of the decision that allows it
        /// @param notices what a person should hear
        void starts(DecisionId id, List<String> notices);
    }

    /// @param limit how long it may run
    /// @param starting hears of it, when it is about to start
    /// @param caller who wants it
    LivingProgram(Farewell farewell, Optional<Duration> limit, Starting starting, Caller caller) {
        this.caller = caller;
        this.farewell = farewell;
        this.limit = limit;
        this.starting = starting;
    }

    Caller caller() {
        return caller;
    }

    @Override
    public void starting(Warrant warrant, List<String> notices) {
        starting.starts(warrant.id(), notices);
    }

    @Override
    public synchronized Watch started(Run started) {
        run = Optional.of(started);
        early.forEach(act -> act.accept(started));
        early.clear();
        limit.ifPresent(time -> Thread.ofVirtual().name("time-limit").start(() -> late(time)));
        return this::over;
    }

    private synchronized void over() {
        run = Optional.empty();
        over.countDown();
    }

    /// Waits for its end, for at most `patience`.
    private boolean isOverWithin(Duration patience) {
        try {
            return over.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void late(Duration time) {
        if (!isOverWithin(time)) {
            synchronized (this) {
                isLate = true;
            }
            signal(TERM);
            endForSure();
        }
    }

    /// Was it ended because its time was over?
    synchronized boolean isLate() {
        return isLate;
    }

    /// Has `told` hear each time it has stopped on its terminal, on a thread of its own.
    void whenStopped(Runnable told) {
        act(running ->
                running.whenStopped(() -> Thread.ofVirtual().name("stopped").start(told)));
    }

    void resize(int rows, int columns) {
        act(running -> running.resize(rows, columns));
    }

    void signal(int signal) {
        act(running -> running.signal(signal));
    }

    private synchronized void act(Consumer<Run> act) {
        if (over.getCount() == 0) {
            return;
        }
        run.ifPresentOrElse(act, () -> early.add(act));
    }

    /// Whoever asked for it is gone. What has not started yet ends at once when it does.
    void leave() {
        signal(HUP);
        Thread.ofVirtual().name("end-for-sure").start(this::endForSure);
    }

    /// Its cage goes down.
    void dismiss() {
        signal(farewell.signal);
    }

    private void endForSure() {
        if (!isOverWithin(Duration.ofSeconds(PATIENCE))) {
            signal(KILL);
        }
    }
}
