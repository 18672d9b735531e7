package dev.cagewright.supervisor.approval;

import dev.cagewright.supervisor.state.StateFolders;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// The commands that watch for questions: each holds a shared lock on one file of the state folder, which the kernel
/// drops with the process. Safe for all threads.
public final class Watchers implements Asker {
    private final StateFolders folders;

    public Watchers(StateFolders folders) {
        this.folders = folders;
    }

    /// Counts as a watcher until it is closed.
    public Closeable watch() throws IOException {
        var channel = open();
        try {
            channel.lock(0, Long.MAX_VALUE, true);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        return channel;
    }

    /// Does anybody watch? Whoever cannot tell says no.
    @Override
    public boolean reaches() {
        try (var channel = open();
                var lock = channel.tryLock()) {
            return lock == null;
        } catch (OverlappingFileLockException _) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /// They find the question by themselves.
    @Override
    public Asked ask(Question question, Answers answers) {
        return () -> {};
    }

    private FileChannel open() throws IOException {
        Path file = folders.sessions().resolveSibling("watchers");
        return FileChannel.open(
                file,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
}
