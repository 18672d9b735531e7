package dev.cagewright.sandbox.namespaces.limits;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Removes the control groups of dead cages, on a thread of its own: while any process of the machine moves into a
/// group, the kernel makes every removal wait, and nobody else has to. Safe for all threads.
final class GroupRemoval implements AutoCloseable {
    private static final int ATTEMPTS = 50;
    private static final long PATIENCE_SECONDS = 10;

    /// So many cages may wait for it; whoever closes the next removes its groups itself.
    private static final int MOST = 256;

    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST),
            Thread.ofPlatform().daemon().name("cagewright-groups").factory(),
            new ThreadPoolExecutor.CallerRunsPolicy());

    GroupRemoval() {
        thread.allowCoreThreadTimeOut(true);
    }

    /// Removes `groups` soon; nothing may live in them any more.
    void later(List<Path> groups) {
        if (thread.isShutdown()) {
            groups.forEach(GroupRemoval::remove);
        } else {
            thread.execute(() -> groups.forEach(GroupRemoval::remove));
        }
    }

    /// The kernel lets go of a group a moment after its last process.
    static void remove(Path group) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (group.toFile().delete() || !Files.exists(group)) {
                return;
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /// Waits until all are removed.
    @Override
    public void close() {
        thread.shutdown();
        try {
            boolean ignored = thread.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
