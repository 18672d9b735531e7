package dev.cagewright.secrets.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/// Keeps every other writer away from a store, of this process and of others, until it is closed.
final class StoreLock implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final FileChannel channel;

    private StoreLock(FileChannel channel) {
        this.channel = channel;
    }

    /// Waits for its turn.
    ///
    /// @throws StoreException if it does not come
    static StoreLock of(Path store) throws IOException {
        var file = store.resolveSibling(store.getFileName() + ".lock");
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        var channel = FileChannel.open(file, options, owner);
        try {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (!isTaken(channel)) {
                if (System.nanoTime() - end > 0) {
                    throw new StoreException(store + ": another command has been writing it for " + PATIENCE.toSeconds()
                            + " s (wait for it to end, then try again; nothing was changed)");
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
            return new StoreLock(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static boolean isTaken(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException _) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
