package dev.cagewright.cli.run;

import dev.cagewright.cli.terminal.Signals;
import dev.cagewright.sandbox.Run;
import dev.cagewright.supervisor.session.RunWatcher;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Hands signals and sizes on to a running program. The program decides what INT, TERM and HUP mean; a
/// wrapper that is asked to end gives it a while and then ends it for sure.
final class Steering implements RunWatcher.Watch {
    /// signal(7)
    private static final int HUP = 1;

    private static final int INT = 2;
    private static final int KILL = 9;

    /// So many interrupts of one person mean it.
    private static final int IMPATIENT = 3;

    /// How long a program may take to end after TERM or HUP, seconds.
    private static final long PATIENCE = 10;

    private final Run run;
    private final RunStreams streams;
    private final AtomicInteger interrupts = new AtomicInteger();
    private final Signals signals;

    Steering(Run run, RunStreams streams) throws IOException {
        this.run = run;
        this.streams = streams;
        streams.begin();
        this.signals = Signals.handOn(this::signalled, () -> streams.resized(run));
    }

    private void signalled(int signal) {
        if (signal == INT && interrupts.incrementAndGet() >= IMPATIENT) {
            run.signal(KILL);
            return;
        }
        run.signal(signal);
        if (signal != INT) {
            Thread.ofVirtual().name("end-for-sure").start(() -> endForSure(signal));
        }
    }

    private void endForSure(int signal) {
        try {
            TimeUnit.SECONDS.sleep(signal == HUP ? 1 : PATIENCE);
            run.signal(KILL);
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
