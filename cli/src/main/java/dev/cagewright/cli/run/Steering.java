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
public final class Steering implements ProgramRun.Steers {
    /// signal(7)
    private static final int HUP = 1;

    private static final int INT = 2;
    private static final int KILL = 9;
    private static final int CONT = 18;
    private static final int STOP = 19;
    private static final int TSTP = 20;

    /// So many interrupts of one person mean it.
    private static final int IMPATIENT = 3;

    /// How long a program may take to end after TERM or HUP, seconds.
    private static final long PATIENCE = 10;

    private final RunStreams streams;
    private final AtomicInteger interrupts = new AtomicInteger();
    private final List<Integer> early = new ArrayList<>();
    private final Signals signals;
    private Optional<Steerable> run = Optional.empty();

    /// Listens from now on; what comes before the program runs waits for it.
    public Steering(RunStreams streams) {
        this.streams = streams;
        this.signals = Signals.handOn(this::signalled, this::resized, new Signals.Job(this::stopAsked, this::goesOn));
    }

    /// The program is about to run: the person's keys are its own from its first instruction on.
    @Override
    public synchronized void ready() {
        try {
            streams.begin();
        } catch (IOException _) {
            early.add(HUP); // the terminal is gone already
        }
    }

    @Override
    public RunWatcher.Watch of(Run run) {
        return of(Steerable.of(run));
    }

    /// The program runs: it gets what came before, and the terminal's size of now.
    public synchronized RunWatcher.Watch of(Steerable started) {
        run = Optional.of(started);
        started.whenStopped(() -> Thread.ofPlatform().daemon().name("suspend").start(this::suspend));
        streams.resized(started);
        early.stream().distinct().forEach(signal -> handOn(started, signal));
        return this::ended;
    }

    /// The program has ended, or never came to run: the terminal is the person's again.
    public synchronized void ended() {
        run = Optional.empty();
        streams.end();
    }

    /// The program on the terminal has stopped, by Ctrl-Z or of itself: the person gets the terminal back, and their
    /// shell says when both go on.
    private synchronized void suspend() {
        if (run.isPresent()) {
            streams.end();
            signals.suspend();
            ready();
            streams.resized(run.get());
            run.get().signal(CONT);
        }
    }

    /// Somebody wants the command to stop. A program on a terminal decides for itself; another one is stopped, since
    /// it would write on.
    private synchronized void stopAsked(Signals own) {
        if (run.isPresent() && streams instanceof RunStreams.Terminals) {
            run.get().signal(TSTP);
            return;
        }
        run.ifPresent(running -> running.signal(STOP));
        own.suspend();
        run.ifPresent(running -> running.signal(CONT));
    }

    /// Whoever stopped it may have left the terminal in another mode.
    private synchronized void goesOn() {
        if (run.isPresent()) {
            ready();
            streams.resized(run.get());
        }
    }

    private synchronized void resized() {
        run.ifPresent(streams::resized);
    }

    private synchronized void signalled(int signal) {
        run.ifPresentOrElse(running -> handOn(running, signal), () -> early.add(signal));
    }

    private void handOn(Steerable running, int signal) {
        if (signal == INT && interrupts.incrementAndGet() >= IMPATIENT) {
            running.signal(KILL);
            return;
        }
        running.signal(signal);
        if (signal != INT) {
            Thread.ofVirtual().name("end-for-sure").start(() -> endForSure(running, signal));
        }
    }

    private static void endForSure(Steerable running, int signal) {
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
