package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.Limits;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// What has to happen later, or again and again. The work itself runs on virtual threads.
final class Deadlines implements AutoCloseable {
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("cagewright-deadlines").factory());

    Deadlines() {
        timer.setRemoveOnCancelPolicy(true);
    }

    Future<?> after(Duration delay, Runnable work) {
        return timer.schedule(() -> start(work), saturatedNanos(delay), TimeUnit.NANOSECONDS);
    }

    Future<?> every(Duration period, Runnable quickWork) {
        long nanos = saturatedNanos(period);
        return timer.scheduleWithFixedDelay(quickWork, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    private static void start(Runnable work) {
        Thread.ofVirtual().start(work);
    }

    private static long saturatedNanos(Duration delay) {
        return (delay.compareTo(Limits.NO_END) < 0 ? delay : Limits.NO_END).toNanos();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
