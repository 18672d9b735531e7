package dev.cagewright.egress.visit;

import java.util.OptionalInt;
import java.util.function.LongSupplier;

/// How many requests of one cage its desk takes: so many at once, and so many a second. Safe for all threads.
public final class Visitors {
    /// At work at once, their bodies included.
    static final int AT_ONCE = 16;

    /// In a row before any limit counts.
    static final int BURST = 60;

    /// A second from then on.
    static final int PER_SECOND = 10;

    private static final long SECOND = 1_000_000_000;
    private static final long COST = SECOND / PER_SECOND;

    private final LongSupplier nanoTime;
    private long nanosInHand = BURST * COST;
    private long last;
    private int inside;

    public Visitors() {
        this(System::nanoTime);
    }

    Visitors(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.last = nanoTime.getAsLong();
    }

    /// Lets one in, who has to [#leave].
    ///
    /// @return empty if it is in; otherwise the seconds after which it may try again
    public synchronized OptionalInt enter() {
        long now = nanoTime.getAsLong();
        nanosInHand = Math.min(nanosInHand + (now - last), BURST * COST);
        last = now;
        if (inside >= AT_ONCE || nanosInHand < COST) {
            return OptionalInt.of(1);
        }
        nanosInHand -= COST;
        inside++;
        return OptionalInt.empty();
    }

    /// One who was let in is done.
    public synchronized void leave() {
        inside--;
    }
}
