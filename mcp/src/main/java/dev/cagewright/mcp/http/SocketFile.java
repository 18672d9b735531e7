package dev.cagewright.mcp.http;

import dev.cagewright.sandbox.host.ThisProcess;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/// The name of a socket that only one user can reach.
///
/// @param path absolute; nothing stands there
/// @param user the number of this process' user
record SocketFile(Path path, int user) {
    /// `sun_path` of unix(7) has 108 bytes, the last of them zero, and one is [#fresh]'s.
    private static final int LONGEST = 106;

    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.GROUP_EXECUTE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE,
            PosixFilePermission.OTHERS_EXECUTE);

    /// Makes a name free, and its folder if there is none.
    ///
    /// @throws IOException if others can enter the folder, or something that is no left-over socket stands there
    static SocketFile at(Path socket) throws IOException {
        var path = socket.toAbsolutePath().normalize();
        var folder = path.getParent();
        if (folder == null || path.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST) {
            throw new IOException("%s is no name for a socket (at most %d bytes)".formatted(path, LONGEST));
        }
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        int user = ThisProcess.user();
        ownFolder(folder, user);
        free(path);
        var free = new SocketFile(path, user);
        free(free.fresh());
        return free;
    }

    /// Where the socket is bound, before anybody looks for it.
    Path fresh() {
        return path.resolveSibling(path.getFileName() + "~");
    }

    private static void ownFolder(Path folder, int user) throws IOException {
        boolean isOwn = Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                && (int) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS) == user;
        if (!isOwn
                || Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS).stream()
                        .anyMatch(OTHERS::contains)) {
            throw new IOException("the folder %s has to be yours, and closed to others (chmod 700)".formatted(folder));
        }
    }

    private static void free(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        if ((mode & 0170000) != 0140000) {
            throw new IOException("%s is there already, and is no socket".formatted(path));
        }
        try (var there = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            throw new IOException("somebody listens at %s already".formatted(there.getRemoteAddress()));
        } catch (ConnectException _) {
            Files.delete(path);
        }
    }

    /// Gives what listens its name: whoever finds it is let in.
    void show() throws IOException {
        Files.setPosixFilePermissions(fresh(), PosixFilePermissions.fromString("rw-------"));
        Files.move(fresh(), path, StandardCopyOption.ATOMIC_MOVE);
    }
}
