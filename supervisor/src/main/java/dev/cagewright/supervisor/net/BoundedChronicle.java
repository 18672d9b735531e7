package dev.cagewright.supervisor.net;

import dev.cagewright.egress.Chronicle;
import dev.cagewright.egress.Traffic;
import dev.cagewright.egress.inspect.Finding;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.DecisionId;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/// Keeps a cage from filling the log with connections that come to nothing: the first are written down one by one, and
/// then so many a second; the others are counted, and their number is written with the next one, and at the end.
/// Safe for all threads.
final class BoundedChronicle implements Chronicle, AutoCloseable {
    /// Written one by one before any limit counts.
    static final int BURST = 200;

    /// Written a second from then on.
    static final int PER_SECOND = 5;

    private static final long SECOND = 1_000_000_000;
    private static final long COST = SECOND / PER_SECOND;

    private final Log log;
    private final LongSupplier nanoTime;
    private long nanosInHand = BURST * COST;
    private long last;
    private long leftOut;

    /// Where it is written.
    interface Log extends Chronicle {
        /// So many more connections came to nothing since the last that was written.
        void more(long count) throws IOException;
    }

    BoundedChronicle(Log log) {
        this(log, System::nanoTime);
    }

    BoundedChronicle(Log log, LongSupplier nanoTime) {
        this.log = log;
        this.nanoTime = nanoTime;
        this.last = nanoTime.getAsLong();
    }

    @Override
    public void ended(DecisionId id, Action action, Traffic traffic, Kept kept) {
        log.ended(id, action, traffic, kept);
    }

    @Override
    public void found(DecisionId id, Finding finding) throws IOException {
        log.found(id, finding);
    }

    @Override
    public void refused(Refused refused) throws IOException {
        var before = take();
        if (before.isEmpty()) {
            return;
        }
        tell(before.getAsLong());
        log.refused(refused);
    }

    /// @return how many were left out before this one; empty if it is left out itself
    private synchronized OptionalLong take() {
        long now = nanoTime.getAsLong();
        nanosInHand = Math.min(nanosInHand + (now - last), BURST * COST);
        last = now;
        if (nanosInHand < COST) {
            leftOut++;
            return OptionalLong.empty();
        }
        nanosInHand -= COST;
        return OptionalLong.of(rest());
    }

    private synchronized long rest() {
        long count = leftOut;
        leftOut = 0;
        return count;
    }

    private void tell(long count) throws IOException {
        if (count > 0) {
            log.more(count);
        }
    }

    /// Writes how many were left out at the end.
    @Override
    public void close() throws IOException {
        tell(rest());
    }
}
