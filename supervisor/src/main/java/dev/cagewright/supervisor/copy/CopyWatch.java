package dev.cagewright.supervisor.copy;

import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.KillReason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Looks again and again how much the copies of a session hold, and kills the cage when that is over the quota. Owns
/// one thread, until it is closed.
public final class CopyWatch implements AutoCloseable {
    /// Between two looks; a look that takes long is followed by a longer pause, so that it never takes more than a
    /// tenth of a processor.
    private static final long PAUSE_MILLIS = 200;

    private static final long PAUSES_PER_LOOK = 9;

    private final List<SessionCopy> copies;
    private final List<Path> layers;
    private final CopyQuota quota;
    private final Cage cage;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;

    private CopyWatch(List<SessionCopy> copies, List<Path> layers, CopyQuota quota, Cage cage) {
        this.copies = List.copyOf(copies);
        this.layers = layers;
        this.quota = quota;
        this.cage = cage;
        this.thread = Thread.ofPlatform().daemon().name("cagewright-copy-watch").unstarted(this::watch);
    }

    /// Starts to look, unless there is no copy.
    ///
    /// @param beside a folder outside of the copies that the workload can fill
    static CopyWatch over(List<SessionCopy> copies, Optional<Path> beside, CopyQuota quota, Cage cage) {
        var layers = new ArrayList<>(copies.stream().map(SessionCopy::upper).toList());
        beside.ifPresent(layers::add);
        var watch = new CopyWatch(copies, List.copyOf(layers), quota, cage);
        if (!copies.isEmpty()) {
            watch.thread.start();
        }
        return watch;
    }

    private void watch() {
        long pause = PAUSE_MILLIS;
        var bases = copies.stream().map(Bases::new).toList();
        try {
            while (!over.await(pause, TimeUnit.MILLISECONDS)) {
                long start = System.nanoTime();
                look();
                bases.forEach(Bases::keep);
                long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                pause = Math.max(PAUSE_MILLIS, took * PAUSES_PER_LOOK);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            var size = CopySize.of(layers, quota);
            if (size.isOver(quota)) {
                cage.kill(size.isOverBytes(quota) ? KillReason.DISK : KillReason.FILES);
            }
        } catch (IOException _) {
            cage.kill(KillReason.DISK); // what cannot be counted any more is not given more room
        }
    }

    @Override
    public void close() {
        over.countDown();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
