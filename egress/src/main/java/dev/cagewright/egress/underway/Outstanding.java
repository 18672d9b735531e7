package dev.cagewright.egress.underway;

/// How many answers are still to come from others, for whoever has to wait until there is none. Safe for all threads.
public final class Outstanding {
    private int count;

    /// With none.
    public Outstanding() {}

    public synchronized void begun() {
        count++;
    }

    public synchronized void ended() {
        count--;
        if (count == 0) {
            notifyAll();
        }
    }

    /// Waits until everything that has begun has ended, whatever interrupts; an interrupt is kept for later.
    public synchronized void awaitNone() {
        boolean interrupted = false;
        while (count > 0) {
            try {
                wait();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
