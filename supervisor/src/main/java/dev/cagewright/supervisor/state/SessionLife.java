package dev.cagewright.supervisor.state;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// That a session lives: a lock on the file `alive` in its folder, which the kernel drops with the process that
/// holds it, however that ends. Whoever begins or takes over a session, or works on what it left, closes it. Safe
/// for all threads.
public final class SessionLife implements AutoCloseable {
    /// The folders of this process's sessions, by device and inode: one folder has many spellings. The kernel
    /// drops a process's lock when it closes *any* descriptor of the file (fcntl_locking(2)), so their files are
    /// never opened twice.
    private static final Set<Object> OWN = new HashSet<>();

    private final Object folder;
    private final FileChannel channel;

    private SessionLife(Object folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /// Begins the life of the session in `folder`.
    ///
    /// @throws IOException if it lives already, or the file cannot be written
    public static SessionLife begin(Path folder) throws IOException {
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        synchronized (OWN) {
            var identity = identity(folder);
            if (OWN.contains(identity)) {
                throw new IOException("session " + folder + " is in use by this process");
            }
            return lock(identity, FileChannel.open(fileOf(folder), options, owner))
                    .orElseThrow(() -> new IOException("session " + folder + " is in use by another process"));
        }
    }

    /// Takes over a session that is dead, so that nobody else settles it meanwhile.
    ///
    /// @return empty if it lives, never began, or somebody works in its folder
    public static Optional<SessionLife> takeOver(Path folder) throws IOException {
        synchronized (OWN) {
            try {
                var identity = identity(folder);
                return OWN.contains(identity)
                        ? Optional.empty()
                        : lock(
                                identity,
                                FileChannel.open(fileOf(folder), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
            } catch (NoSuchFileException _) {
                return Optional.empty();
            }
        }
    }

    /// Does the session in `folder` live, in this process or another?
    ///
    /// @throws IOException if its file cannot be read, so that nobody knows
    public static boolean isAlive(Path folder) throws IOException {
        synchronized (OWN) {
            try {
                return OWN.contains(identity(folder)) || isLocked(fileOf(folder));
            } catch (NoSuchFileException _) {
                return false;
            }
        }
    }

    /// By another process.
    private static boolean isLocked(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
                var lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return lock == null;
        }
    }

    private static Optional<SessionLife> lock(Object folder, FileChannel channel) throws IOException {
        try {
            if (channel.tryLock() != null) {
                OWN.add(folder);
                return Optional.of(new SessionLife(folder, channel));
            }
        } catch (IOException | OverlappingFileLockException e) {
            channel.close();
            throw e;
        }
        channel.close();
        return Optional.empty();
    }

    private static Object identity(Path folder) throws IOException {
        var key = Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
        return Objects.requireNonNull(key, "every file of Linux has a key");
    }

    private static Path fileOf(Path folder) {
        return folder.resolve("alive");
    }

    @Override
    public void close() throws IOException {
        synchronized (OWN) {
            OWN.remove(folder);
            channel.close();
        }
    }
}
