package dev.cagewright.supervisor.ticket;

import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/// Where the one door is at which the person's links are answered, while a process holds it open: a file of the state
/// folder, and a lock that the kernel drops with the process. Safe for all threads.
final class Publication {
    private static final String FILE = "answering";
    private static final int MOST = 1_024;

    private Publication() {}

    /// Makes `base` known until what comes back is closed.
    ///
    /// @return empty if another door is known already
    static Optional<Closeable> of(StateFolders folders, String base) throws IOException {
        folders.sessions(); // makes the state folder, for its owner alone
        var channel = lockFile(folders);
        try {
            if (channel.tryLock() == null) {
                channel.close();
                return Optional.empty();
            }
            OwnerFile.write(folders.state().resolve(FILE), base.getBytes(StandardCharsets.UTF_8));
            return Optional.of(channel);
        } catch (OverlappingFileLockException _) {
            channel.close();
            return Optional.empty();
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /// The base that is known, if somebody is there.
    static Optional<String> current(StateFolders folders) throws IOException {
        try (var channel = lockFile(folders);
                var lock = channel.tryLock()) {
            return lock == null ? Optional.of(read(folders)) : Optional.empty();
        } catch (OverlappingFileLockException _) {
            return Optional.of(read(folders));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    private static String read(StateFolders folders) throws IOException {
        return new String(OwnerFile.read(folders.state().resolve(FILE), MOST), StandardCharsets.UTF_8);
    }

    private static FileChannel lockFile(StateFolders folders) throws IOException {
        return FileChannel.open(
                folders.state().resolve(FILE + ".lock"),
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
}
