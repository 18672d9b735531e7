package dev.cagewright.egress.deadline;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One deadline that moves with what happens. Setting it costs nothing but a look at the clock, unless it is sooner
/// than
/// the timer that is under way; there is at most one. For one event loop.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
public final class Watchdog {
    private final EventLoop loop;
    private final Runnable whenOver;
    private @Nullable Future<?> timer;
    private long limitNanos;
    private long since;

    /// When the timer looks, by [System#nanoTime].
    private long looksAt;

    public Watchdog(EventLoop loop, Runnable whenOver) {
        this.loop = loop;
        this.whenOver = whenOver;
    }

    /// From now on, `limit` without [#progress] is over.
    public void expect(Duration limit) {
        limitNanos = limit.toNanos();
        since = System.nanoTime();
        if (timer == null || looksAt - (since + limitNanos) > 0) {
            cancelTimer();
            arm(limitNanos);
        }
    }

    public void progress() {
        since = System.nanoTime();
    }

    public void cancel() {
        limitNanos = 0;
        cancelTimer();
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private void arm(long nanos) {
        looksAt = System.nanoTime() + nanos;
        timer = loop.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
    }

    private void look() {
        timer = null;
        if (limitNanos == 0) {
            return;
        }
        long left = limitNanos - (System.nanoTime() - since);
        if (left <= 0) {
            limitNanos = 0;
            whenOver.run();
        } else {
            arm(left);
        }
    }
}
