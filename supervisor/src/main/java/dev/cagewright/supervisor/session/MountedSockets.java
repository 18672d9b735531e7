package dev.cagewright.supervisor.session;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Mount;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;

/// Looks for unix sockets in the host's directories that a cage gets besides its workspace: a mount that can
/// only be read still lets everybody connect to what listens in it, unix(7).
final class MountedSockets extends SimpleFileVisitor<Path> {
    /// More entries than this are not looked at, and the mount is refused.
    static final int ENTRY_LIMIT = 100_000;

    /// `S_IFMT` and `S_IFSOCK`, inode(7).
    private static final int KIND = 0170000;

    private static final int SOCKET = 0140000;

    private Optional<Path> found = Optional.empty();
    private int entries;

    private MountedSockets() {}

    /// @throws ConfinementException if there is one, or too many entries to tell
    static void refuse(List<Mount> mounts) throws ConfinementException, IOException {
        for (Mount mount : mounts) {
            if (mount.source() instanceof Mount.HostPath(var path)
                    && path.utf8().isPresent()) {
                refuse(mount, Path.of(path.utf8().get()));
            }
        }
    }

    private static void refuse(Mount mount, Path source) throws ConfinementException, IOException {
        if (!Files.isDirectory(source)) {
            return;
        }
        var sockets = new MountedSockets();
        Files.walkFileTree(source, sockets);
        if (sockets.found.isPresent()) {
            throw refusal(mount, "a socket is in it: " + sockets.found.get());
        }
        if (sockets.entries > ENTRY_LIMIT) {
            throw refusal(
                    mount, "more than " + ENTRY_LIMIT + " entries, so it cannot be told whether a socket is in it");
        }
    }

    private static ConfinementException refusal(Mount mount, String why) {
        return new ConfinementException(
                "mounts", "mount at " + mount.at(), why, "mount a smaller directory, without sockets");
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        if (attributes.isOther() && isSocket(file)) {
            found = Optional.of(file);
            return FileVisitResult.TERMINATE;
        }
        return ++entries > ENTRY_LIMIT ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
    }

    private static boolean isSocket(Path file) throws IOException {
        int mode = (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        return (mode & KIND) == SOCKET;
    }

    /// What this user cannot look at, the cage, which is the same or a lesser one, cannot either.
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
        return FileVisitResult.CONTINUE;
    }
}
