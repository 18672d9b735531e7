package dev.cagewright.supervisor.budget;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// The count of one run, which ends with it.
final class RunMeter implements Meter {
    private static final long TAKEN = 0;

    private final AtomicLong used = new AtomicLong();

    @Override
    public long take(long amount, long limit) {
        while (true) {
            long before = used.get();
            if (amount > limit - before) {
                return REFUSED;
            }
            if (used.compareAndSet(before, before + amount)) {
                return TAKEN;
            }
        }
    }

    @Override
    public void giveBack(long token, long amount) {
        used.addAndGet(-amount);
    }

    @Override
    public long used() {
        return used.get();
    }

    @Override
    public Optional<Instant> comesBack() {
        return Optional.empty();
    }

    @Override
    public void flush() {
        // nothing of a run outlives it
    }
}
