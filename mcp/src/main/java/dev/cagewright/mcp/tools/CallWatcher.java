package dev.cagewright.mcp.tools;

import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Run;
import dev.cagewright.supervisor.session.RunWatcher;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Stands beside the program of one call: ends it, and all that it started, when its time is over or the call is taken
/// back. Safe for all threads.
final class CallWatcher implements RunWatcher {
    /// signal(7)
    private static final int KILL = 9;

    private static final int TERM = 15;

    /// What a program whose time is over has to clear up.
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private final Duration limit;
    private Optional<Run> run = Optional.empty();
    private Optional<Exit.Cause> cause = Optional.empty();
    private List<String> notices = List.of();
    private final CountDownLatch over = new CountDownLatch(1);

    /// @param limit how long it may run
    CallWatcher(Duration limit) {
        this.limit = limit;
    }

    @Override
    public synchronized void starting(Warrant warrant, List<String> told) {
        notices = List.copyOf(told);
    }

    @Override
    public synchronized Watch started(Run started) {
        run = Optional.of(started);
        if (cause.isPresent()) {
            started.signal(KILL);
        } else {
            Thread.ofVirtual().name("time-limit").start(this::watchTime);
        }
        return over::countDown;
    }

    /// The client does not want it any more.
    synchronized void takeBack() {
        boolean isOver = over.getCount() == 0;
        if (!isOver && cause.isEmpty()) {
            cause = Optional.of(Exit.Cause.CANCELLED);
        }
        run.filter(_ -> !isOver).ifPresent(running -> running.signal(KILL));
    }

    private void watchTime() {
        if (isOverWithin(limit)) {
            return;
        }
        synchronized (this) {
            if (cause.isEmpty()) {
                cause = Optional.of(Exit.Cause.TIMEOUT);
            }
            run.ifPresent(running -> running.signal(TERM));
        }
        if (!isOverWithin(FAREWELL)) {
            synchronized (this) {
                run.ifPresent(running -> running.signal(KILL));
            }
        }
    }

    private boolean isOverWithin(Duration patience) {
        try {
            return over.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @Override
    public synchronized Optional<Exit.Cause> ended() {
        return cause;
    }

    /// What a person should hear about the cage and the program.
    synchronized List<String> notices() {
        return notices;
    }
}
