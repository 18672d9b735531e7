package dev.cagewright.supervisor.signing;

import java.util.Optional;
import java.util.function.LongSupplier;

/// How often, and how many times in all, a cage may have something signed. A rebase signs each of its commits. Safe for
/// all threads.
final class SigningPace {
    /// Of one run.
    static final int MOST = 5_000;

    /// At once, and then again after as many times [#INTERVAL].
    static final int BURST = 50;

    private static final long INTERVAL = 200_000_000L;

    private final LongSupplier nanos;
    private long credit = BURST * INTERVAL;
    private long last;
    private int signed;

    /// @param nanos a clock that nobody sets
    SigningPace(LongSupplier nanos) {
        this.nanos = nanos;
        this.last = nanos.getAsLong();
    }

    /// Counts one.
    ///
    /// @return why it may not be made; empty when it may
    synchronized Optional<String> attempt() {
        long now = nanos.getAsLong();
        credit = Math.min(BURST * INTERVAL, credit + Math.max(0, now - last));
        last = now;
        if (signed >= MOST) {
            return Optional.of("this run has had " + MOST + " signatures (expected: no more)");
        }
        if (credit < INTERVAL) {
            return Optional.of("too many at once (expected: at most " + BURST + ", then 5 a second)");
        }
        credit -= INTERVAL;
        signed++;
        return Optional.empty();
    }
}
