package dev.cagewright.supervisor.counter;

import java.util.Optional;
import java.util.function.LongSupplier;

/// How often, and how many times in all, a cage may ask. Safe for all threads.
final class Pace {
    /// Children of one run.
    static final int MOST_CHILDREN = 256;

    /// Attempts of one run, each of which may leave a line in the log.
    static final int MOST_ATTEMPTS = 2_000;

    /// At once, and then again after as many times [#INTERVAL].
    static final int BURST = 20;

    private static final long INTERVAL = 100_000_000L;

    private final LongSupplier nanos;
    private long credit = BURST * INTERVAL;
    private long last;
    private int attempts;
    private int children;

    /// @param nanos a clock that nobody sets
    Pace(LongSupplier nanos) {
        this.nanos = nanos;
        this.last = nanos.getAsLong();
    }

    /// Counts an attempt.
    ///
    /// @return why it may not be made; empty when it may
    synchronized Optional<String> attempt() {
        long now = nanos.getAsLong();
        credit = Math.min(BURST * INTERVAL, credit + Math.max(0, now - last));
        last = now;
        if (attempts >= MOST_ATTEMPTS) {
            return Optional.of("this run has asked " + MOST_ATTEMPTS + " times (expected: no more)");
        }
        if (credit < INTERVAL) {
            return Optional.of("too many at once (expected: at most " + BURST + ", then 10 a second; ask again)");
        }
        credit -= INTERVAL;
        attempts++;
        return Optional.empty();
    }

    /// The number of the next child; empty when there are as many as one run may have.
    synchronized Optional<Integer> child() {
        return children >= MOST_CHILDREN ? Optional.empty() : Optional.of(++children);
    }
}
