package dev.cagewright.sandbox.namespaces.streams;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// The threads that pump. A new thread makes its starter wait until it has had its first turn, three times a
/// program; one that was used before does not. Idle ones end after a minute, and none keeps the process alive.
final class PumpThreads {
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("cagewright-pump-", 0).factory());

    private PumpThreads() {}

    /// Runs `pump` at once: there is no queue.
    static void start(Runnable pump) {
        THREADS.execute(pump);
    }
}
