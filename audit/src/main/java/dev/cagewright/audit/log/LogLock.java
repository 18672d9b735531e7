package dev.cagewright.audit.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The lock between all writers of one log, `<log>.lock`. The kernel drops a process's lock as soon as *any* descriptor
/// of that file is closed in it (fcntl(2), "advisory record locking"), so all users in this JVM share one channel and
/// take turns by a semaphore first.
final class LogLock implements AutoCloseable {
    private static final Map<Object, Shared> OPEN = new HashMap<>();
    private static final long FIRST_PAUSE = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(2);

    /// The byte of the lock file whose lock is the turn. The bytes behind it tell which epochs have a living writer.
    private static final long TURN = 0;

    /// The byte whose lock is the right to be next: whoever waits for the turn holds it, so that a writer that comes
    /// back at once sees that another one waits.
    private static final long NEXT = Long.MAX_VALUE - 1;

    /// For so long a writer takes turn after turn without looking whether another process waits.
    private static final long UNASKED = TimeUnit.MILLISECONDS.toNanos(5);

    private final Path path;
    private final Folder folder;
    private Shared shared;
    private @Nullable FileLock sign;
    private long signed;
    private long asked = System.nanoTime();

    /// One lock file as this JVM has it open.
    private static final class Shared {
        final Object identity;
        final FileChannel channel;
        final Semaphore turn = new Semaphore(1, true);
        int users;

        Shared(Object identity, FileChannel channel) {
            this.identity = identity;
            this.channel = channel;
        }
    }

    /// The lock, taken.
    static final class Held implements AutoCloseable {
        private final Shared shared;
        private final FileLock lock;
        private final Folder folder;
        private final boolean namesAreKnown;
        private boolean handedOn;

        private Held(Shared shared, FileLock lock, Folder folder, boolean namesAreKnown) {
            this.shared = shared;
            this.lock = lock;
            this.folder = folder;
            this.namesAreKnown = namesAreKnown;
        }

        /// Whether all names beside the log still lead to what they led to when [#namesAreRight] was called.
        boolean namesAreKnown() {
            return namesAreKnown;
        }

        /// The same lock, for whoever ends what was begun under it. Closing this object does nothing from now on.
        Held handOn() {
            handedOn = true;
            return new Held(shared, lock, folder, namesAreKnown);
        }

        /// The names of the log and of its marker were looked at under this lock.
        void namesAreRight() {
            folder.known();
        }

        @Override
        public void close() throws IOException {
            if (handedOn) {
                return;
            }
            try {
                lock.release();
            } finally {
                shared.turn.release();
            }
        }
    }

    private LogLock(Path path, Shared shared) {
        this.path = path;
        this.folder = new Folder(Objects.requireNonNull(path.getParent(), "path is absolute"));
        this.shared = shared;
    }

    static LogLock open(Path path) throws IOException {
        return new LogLock(path, join(path));
    }

    /// Takes the lock, waiting at most for `patience`.
    ///
    /// @throws IOException if another writer kept it; the message names its process if the kernel tells
    Held acquire(Duration patience) throws IOException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            var mine = shared;
            if (!takeTurn(mine, deadline)) {
                throw busy(patience);
            }
            try {
                var lock = lockFile(mine.channel, deadline);
                if (lock == null) {
                    throw busy(patience);
                }
                var held = heldOrNull(mine, lock);
                if (held != null) {
                    return held;
                }
            } catch (IOException | RuntimeException e) {
                mine.turn.release();
                throw e;
            }
            mine.turn.release();
            rejoin();
        }
    }

    /// Takes the lock if nobody has it and nobody waits for it, else returns null. Never waits, whatever interrupts.
    @Nullable
    Held acquireOrNull() throws IOException {
        var mine = shared;
        if (mine.turn.hasQueuedThreads() || !mine.turn.tryAcquire()) {
            return null;
        }
        try {
            var lock = isAwaited(mine.channel) ? null : mine.channel.tryLock(TURN, 1, false);
            var held = lock == null ? null : heldOrNull(mine, lock);
            if (held != null) {
                return held;
            }
        } catch (IOException | RuntimeException e) {
            mine.turn.release();
            throw e;
        }
        mine.turn.release();
        return null;
    }

    private boolean isAwaited(FileChannel channel) throws IOException {
        long now = System.nanoTime();
        if (now - asked < UNASKED) {
            return false;
        }
        asked = now;
        try (var next = channel.tryLock(NEXT, 1, false)) {
            return next == null;
        }
    }

    /// Null if the name leads to another file by now; then the lock is given back.
    private @Nullable Held heldOrNull(Shared mine, FileLock lock) throws IOException {
        try {
            boolean known = folder.isKnown();
            if (known || mine.identity.equals(identityOrNull(path))) {
                return new Held(mine, lock, folder, known);
            }
        } catch (IOException | RuntimeException e) {
            lock.release();
            throw e;
        }
        lock.release();
        return null;
    }

    /// From now on, and until this is closed or its process dies, `epoch` has a living writer. Called while the lock is
    /// held.
    void live(long epoch) throws IOException {
        die();
        sign = shared.channel.tryLock(1 + epoch, 1, false);
        signed = epoch;
    }

    /// Whether the writer of `epoch` is alive, here or in another process. Called while the lock is held.
    boolean isAlive(long epoch) throws IOException {
        try (var free = shared.channel.tryLock(1 + epoch, 1, false)) {
            return free == null;
        } catch (OverlappingFileLockException _) {
            return true;
        }
    }

    private void die() throws IOException {
        if (sign != null) {
            sign.release();
            sign = null;
        }
    }

    @Override
    public void close() throws IOException {
        die();
        leave(shared);
    }

    private static boolean takeTurn(Shared shared, long deadline) throws IOException {
        try {
            return shared.turn.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the audit log's lock", e);
        }
    }

    private static @Nullable FileLock lockFile(FileChannel channel, long deadline) throws IOException {
        try (var next = lockByte(channel, NEXT, deadline)) {
            return next == null ? null : lockByte(channel, TURN, deadline);
        }
    }

    private static @Nullable FileLock lockByte(FileChannel channel, long at, long deadline) throws IOException {
        long pause = FIRST_PAUSE;
        while (true) {
            var lock = channel.tryLock(at, 1, false);
            if (lock != null || System.nanoTime() - deadline > 0) {
                return lock;
            }
            LockSupport.parkNanos(pause);
            pause = Math.min(LONGEST_PAUSE, 2 * pause);
        }
    }

    /// Somebody deleted the lock file: its successor is the lock from now on.
    private void rejoin() throws IOException {
        var old = shared;
        shared = join(path);
        if (sign != null) {
            live(signed);
        }
        leave(old);
    }

    private static Shared join(Path path) throws IOException {
        synchronized (OPEN) {
            var identity = identityOrNull(path);
            var known = identity == null ? null : OPEN.get(identity);
            if (known == null) {
                known = openFile(path);
                OPEN.put(known.identity, known);
            }
            known.users++;
            return known;
        }
    }

    private static Shared openFile(Path path) throws IOException {
        var options = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE, LinkOption.NOFOLLOW_LINKS);
        var channel = FileChannel.open(path, options, LogFile.PRIVATE_FILE);
        var identity = identityOrNull(path);
        if (identity == null) {
            channel.close();
            throw new IOException("the audit log's lock " + path + " vanished while it was opened");
        }
        if (OPEN.containsKey(identity)) {
            // Closing this channel would drop the lock that a batch may hold right now: rather keep it open.
            throw new IOException("the audit log's lock " + path + " was exchanged while it was opened");
        }
        return new Shared(identity, channel);
    }

    private static void leave(Shared shared) throws IOException {
        synchronized (OPEN) {
            if (--shared.users == 0) {
                OPEN.remove(shared.identity);
                shared.channel.close();
            }
        }
    }

    private static @Nullable Object identityOrNull(Path path) throws IOException {
        try {
            var found = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!found.isRegularFile()) {
                throw new IOException("the audit log's lock " + path + " is no regular file");
            }
            return Objects.requireNonNull(found.fileKey(), "every file of Linux has a key");
        } catch (NoSuchFileException _) {
            return null;
        }
    }

    private IOException busy(Duration patience) {
        return new IOException("the audit log is in use by " + holder() + " for more than " + patience.toMillis()
                + " ms (lock " + path + ")");
    }

    /// From `/proc/locks`: `1: POSIX  ADVISORY  WRITE 1234 fd:00:123456 0 0`, proc_locks(5).
    private String holder() {
        try {
            var inode = Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS);
            var end = ":" + inode;
            try (var lines = Files.lines(Path.of("/proc/locks"))) {
                return lines.map(line -> line.trim().split("\\s+"))
                        .filter(words -> words.length > 6 && words[5].endsWith(end) && words[6].equals("0"))
                        .findFirst()
                        .map(words -> "process " + words[4])
                        .orElse("another process");
            }
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return "another process";
        }
    }
}
