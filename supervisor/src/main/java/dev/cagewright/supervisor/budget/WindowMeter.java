package dev.cagewright.supervisor.budget;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// The count of a minute, an hour or a day, shared by all runs that draw on it. It stands in a file that they all have
/// in memory, and changes there in one step of the processor: no lock that a stopped process could hold, and
/// nothing is lost with a process that is killed.
final class WindowMeter implements Meter {
    private final Window window;
    private final CountFile file;
    private final InstantSource clock;
    private final AtomicLong flushesAsked = new AtomicLong();
    private final Object flushing = new Object();
    private long flushed;

    WindowMeter(Window window, CountFile file, InstantSource clock) {
        this.window = window;
        this.file = file;
        this.clock = clock;
    }

    @Override
    public long take(long amount, long limit) {
        long most = Math.min(limit, window.most());
        return reading(() -> {
            while (true) {
                long word = file.get();
                long period = window.period(word, clock.instant());
                long used = window.used(word, period);
                if (amount > most - used) {
                    return REFUSED;
                }
                if (file.replace(word, window.word(period, used + amount))) {
                    return period;
                }
            }
        });
    }

    @Override
    public void giveBack(long token, long amount) {
        reading(() -> {
            while (true) {
                long word = file.get();
                long used = window.used(word, token);
                if (used < amount || file.replace(word, window.word(token, used - amount))) {
                    return used;
                }
            }
        });
    }

    @Override
    public long used() {
        return reading(() -> {
            long word = file.get();
            return window.used(word, window.period(word, clock.instant()));
        });
    }

    @Override
    public Optional<Instant> comesBack() {
        return Optional.of(window.endOf(reading(() -> window.period(file.get(), clock.instant()))));
    }

    /// One flush serves all who asked before it began.
    @Override
    public void flush() throws IOException {
        long mine = flushesAsked.incrementAndGet();
        synchronized (flushing) {
            if (flushed < mine) {
                long all = flushesAsked.get();
                file.flush();
                flushed = all;
            }
        }
    }

    /// The machine's answer to a file that was cut while it is in memory is an [InternalError].
    private long reading(LongSupplier count) {
        try {
            return count.getAsLong();
        } catch (InternalError e) {
            throw new IllegalStateException(file + " was cut while it was in use", e);
        }
    }
}
