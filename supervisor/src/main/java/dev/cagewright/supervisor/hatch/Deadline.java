package dev.cagewright.supervisor.hatch;

import java.time.Duration;

/// When whoever is waited for has to be done. Safe for all threads.
public final class Deadline {
    private final long patience;
    private long begun;
    private boolean isRunning;

    Deadline(Duration patience) {
        this.patience = patience.toNanos();
        begin();
    }

    synchronized void begin() {
        begun = System.nanoTime();
        isRunning = true;
    }

    synchronized void none() {
        isRunning = false;
    }

    /// Nanoseconds until somebody has to look again; none are left if it is too late.
    synchronized long left() {
        return isRunning ? Math.max(0, patience - (System.nanoTime() - begun)) : patience;
    }
}
