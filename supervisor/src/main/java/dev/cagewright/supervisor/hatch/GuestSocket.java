package dev.cagewright.supervisor.hatch;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.Mount;
import dev.cagewright.supervisor.state.SharedFolder;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// A unix socket of the host's that one cage sees, from before the cage is built until it is gone. On the host it lies
/// beside the homes of agents, in a folder that only the person may enter. Whoever makes it closes it.
///
/// @param folder the person's alone, with `shown`, which the cage sees
/// @param listening bound; whoever answers there closes it, too
/// @param place where the cage finds the socket's folder
public record GuestSocket(Path folder, Path shown, ServerSocketChannel listening, GuestPath place)
        implements AutoCloseable {
    private static final String SOCKET = "socket";
    private static final String SHOWN = "shown";

    /// `sun_path` of unix(7) has 108 bytes.
    private static final int LONGEST = 100;

    /// `Uid:` real, effective ...; proc_pid_status(5).
    private static final Pattern USER = Pattern.compile("(?m)^Uid:\\t\\d+\\t(\\d+)\\t");

    /// In what the session shares with its cage, or where that has too long a name for a socket in a new folder of its
    /// own.
    ///
    /// @param name of a folder in it
    /// @throws IOException if it cannot be made; nothing is left then
    public static GuestSocket make(SharedFolder shared, String name, GuestPath place) throws IOException {
        var folder = folder(shared.make().resolve(name));
        var shown = folder.resolve(SHOWN);
        var made = new GuestSocket(folder, shown, ServerSocketChannel.open(StandardProtocolFamily.UNIX), place);
        try {
            Files.createDirectory(shown);
            made.listening().bind(UnixDomainSocketAddress.of(shown.resolve(SOCKET)));
            Files.setPosixFilePermissions(shown.resolve(SOCKET), PosixFilePermissions.fromString("rw-rw-rw-"));
            Files.setPosixFilePermissions(shown, PosixFilePermissions.fromString("rwxr-xr-x"));
            return made;
        } catch (IOException | RuntimeException e) {
            made.close();
            throw e;
        }
    }

    private static Path folder(Path folder) throws IOException {
        var shown = folder.resolve(SHOWN);
        if (shown.resolve(SOCKET).toString().getBytes(StandardCharsets.UTF_8).length > LONGEST) {
            return Files.createTempDirectory("cagewright-");
        }
        Files.deleteIfExists(shown.resolve(SOCKET));
        Files.deleteIfExists(shown);
        Files.deleteIfExists(folder);
        return Files.createDirectory(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /// `spec` with the socket's folder mounted, read-only.
    public CageSpec over(CageSpec spec) {
        var all = new ArrayList<>(spec.mounts());
        all.add(new Mount(place, new Mount.HostPath(ByteString.of(shown.toString())), Access.READ_ONLY));
        return spec.withMounts(all);
    }

    /// Its path in the cage.
    public String guest() {
        return place.child(SOCKET).value();
    }

    /// Lets in `cage`'s own user and nobody else.
    ///
    /// @throws IOException if it cannot be told who that is
    public static Predicate<SocketChannel> onlyUserOf(Cage cage) throws IOException {
        var status = Files.readString(Path.of("/proc/" + cage.initPid() + "/status"));
        var user = USER.matcher(status);
        if (!user.find()) {
            throw new IOException("/proc/" + cage.initPid() + "/status names no user");
        }
        return Peers.only(Long.parseLong(user.group(1)));
    }

    /// What cannot be removed is an empty folder with a socket that nobody listens at.
    @Override
    public void close() {
        try (var _ = listening) {
            Files.deleteIfExists(shown.resolve(SOCKET));
            Files.deleteIfExists(shown);
            Files.deleteIfExists(folder);
        } catch (IOException _) {
            return;
        }
    }
}
