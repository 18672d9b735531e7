package dev.cagewright.supervisor.state;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// That a session lives: a lock on the file `alive` in its folder, which the kernel drops with the process that
/// holds it, however that ends. Whoever begins or takes over a session closes it. Safe for all threads.
public final class SessionLife implements AutoCloseable {
    /// Sessions of this process. The kernel drops a process's lock when it closes *any* descriptor of the file
    /// (fcntl(2), "advisory record locking"), so their files are never opened twice.
    private static final Set<Path> OWN = new HashSet<>();

    /// Locked by whoever brings a session's changes over, or throws them away.
    private static final String WORK = "lock";

    private final Path file;
    private final FileChannel channel;

    private SessionLife(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /// Begins the life of the session in `folder`.
    ///
    /// @throws IOException if it lives already, or the file cannot be written
    public static SessionLife begin(Path folder) throws IOException {
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        var file = fileOf(folder);
        synchronized (OWN) {
            if (OWN.contains(file)) {
                throw new IOException("session " + folder + " is in use by this process");
            }
            return lock(file, FileChannel.open(file, options, owner))
                    .orElseThrow(() -> new IOException("session " + folder + " is in use by another process"));
        }
    }

    /// Takes over a session that is dead, so that nobody else settles it meanwhile.
    ///
    /// @return empty if it lives, never began, or somebody works in its folder
    public static Optional<SessionLife> takeOver(Path folder) throws IOException {
        var file = fileOf(folder);
        synchronized (OWN) {
            if (OWN.contains(file) || isLocked(file.resolveSibling(WORK))) {
                return Optional.empty();
            }
            try {
                return lock(file, FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
            } catch (NoSuchFileException _) {
                return Optional.empty();
            }
        }
    }

    /// Does the session in `folder` live, in this process or another?
    ///
    /// @throws IOException if its file cannot be read, so that nobody knows
    public static boolean isAlive(Path folder) throws IOException {
        var file = fileOf(folder);
        synchronized (OWN) {
            if (OWN.contains(file)) {
                return true;
            }
            return isLocked(file);
        }
    }

    /// By anybody else, or by another part of this process.
    private static boolean isLocked(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
                var lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return lock == null;
        } catch (OverlappingFileLockException _) {
            return true;
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    private static Optional<SessionLife> lock(Path file, FileChannel channel) throws IOException {
        try {
            if (channel.tryLock() != null) {
                OWN.add(file);
                return Optional.of(new SessionLife(file, channel));
            }
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        return Optional.empty();
    }

    private static Path fileOf(Path folder) {
        return folder.toAbsolutePath().normalize().resolve("alive");
    }

    @Override
    public void close() throws IOException {
        synchronized (OWN) {
            OWN.remove(file);
            channel.close();
        }
    }
}
