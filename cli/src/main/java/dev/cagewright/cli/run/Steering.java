package dev.cagewright.cli.run;

import dev.cagewright.cli.terminal.Signals;
import dev.cagewright.sandbox.Run;
import dev.cagewright.supervisor.session.RunWatcher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Hands signals and sizes on to a running program. The program decides what INT, TERM and HUP mean; a
/// wrapper that is asked to end gives it a while and then ends it for sure.
final class Steering implements AutoCloseable {
    /// signal(7)
    private static final int HUP = 1;

    private static final int INT = 2;
    private static final int KILL = 9;

    /// So many interrupts of one person mean it.
    private static final int IMPATIENT = 3;

    /// How long a program may take to end after TERM or HUP, seconds.
    private static final long PATIENCE = 10;

    private final RunStreams streams;
    private final AtomicInteger interrupts = new AtomicInteger();
    private final List<Integer> early = new ArrayList<>();
    private final Signals signals;
    private Optional<Run> run = Optional.empty();

    /// Listens from now on; what comes before the program runs waits for it.
    Steering(RunStreams streams) {
        this.streams = streams;
        this.signals = Signals.handOn(this::signalled, this::resized);
    }

    /// The program is about to run: the person's keys are its own from its first instruction on.
    synchronized void ready() {
        try {
            streams.begin();
        } catch (IOException _) {
            early.add(HUP); // the terminal is gone already
        }
    }

    /// The program runs: it gets what came before, and the terminal's size of now.
    synchronized RunWatcher.Watch of(Run started) {
        run = Optional.of(started);
        streams.resized(started);
        early.stream().distinct().forEach(signal -> handOn(started, signal));
        return this::ended;
    }

    /// The program has ended, or never came to run: the terminal is the person's again.
    synchronized void ended() {
        run = Optional.empty();
        streams.end();
    }

    private synchronized void resized() {
        run.ifPresent(streams::resized);
    }

    private synchronized void signalled(int signal) {
        run.ifPresentOrElse(running -> handOn(running, signal), () -> early.add(signal));
    }

    private void handOn(Run running, int signal) {
        if (signal == INT && interrupts.incrementAndGet() >= IMPATIENT) {
            running.signal(KILL);
            return;
        }
        running.signal(signal);
        if (signal != INT) {
            Thread.ofVirtual().name("end-for-sure").start(() -> endForSure(running, signal));
        }
    }

    private static void endForSure(Run running, int signal) {
        try {
            TimeUnit.SECONDS.sleep(signal == HUP ? 1 : PATIENCE);
            running.signal(KILL);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        signals.close();
        streams.end();
    }
}
