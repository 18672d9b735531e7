package dev.cagewright.supervisor.changes;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.supervisor.copy.Mechanism;
import dev.cagewright.supervisor.copy.SessionCopy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;

/// A host's directory and a session's copy of it, worked on by real shells: in a real overlay that is mounted for one
/// script at a time, or in a real copy.
public final class CopiedTree {
    private static final String MOUNT = "mount -t overlay -o userxattr,lowerdir=\"$1\",upperdir=\"$2\",workdir=\"$3\""
            + " none \"$4\" && cd \"$4\" && ";

    private final Path session;
    private final Path host;
    private final Mechanism mechanism;
    private Instant made = Instant.EPOCH;

    /// An empty host directory and an empty copy in `temp`.
    public CopiedTree(Path temp, Mechanism mechanism) throws IOException {
        this.session = Files.createDirectory(temp.resolve("session"));
        this.host = Files.createDirectory(temp.resolve("host"));
        this.mechanism = mechanism;
        for (String name : List.of("upper", "work", "merged")) {
            Files.createDirectories(session.resolve("copy").resolve(name));
        }
    }

    /// The host's directory.
    public Path host() {
        return host;
    }

    /// The session's folder.
    public Path session() {
        return session;
    }

    /// What a person does, in the host's directory.
    public CopiedTree onHost(String script) throws IOException, InterruptedException {
        run(List.of("sh", "-euc", script), host);
        return this;
    }

    /// The run begins: what the host does from now on, it does meanwhile.
    public CopiedTree begins() throws IOException, InterruptedException {
        if (mechanism != Mechanism.OVERLAY) {
            run(List.of("cp", "-a", host + "/.", session.resolve("copy/upper").toString()), host);
        }
        var earlier = tick();
        do {
            made = tick();
        } while (!made.isAfter(earlier));
        return this;
    }

    private Instant tick() throws IOException {
        var marker = session.resolve("marker");
        Files.deleteIfExists(marker);
        Files.createFile(marker);
        return Files.getAttribute(marker, "unix:ctime") instanceof FileTime time ? time.toInstant() : Instant.MAX;
    }

    /// What the workload does, in the copy.
    public CopiedTree inCopy(String script) throws IOException, InterruptedException {
        var copy = session.resolve("copy");
        if (mechanism == Mechanism.OVERLAY) {
            run(
                    List.of(
                            "unshare",
                            "-Urm",
                            "sh",
                            "-euc",
                            MOUNT + "{ " + script + "\n}",
                            "sh",
                            host.toString(),
                            copy.resolve("upper").toString(),
                            copy.resolve("work").toString(),
                            copy.resolve("merged").toString()),
                    session);
        } else {
            run(List.of("sh", "-euc", script), copy.resolve("upper"));
        }
        return this;
    }

    /// The copy as the product writes it down.
    public SessionCopy copy() throws IOException {
        return copy(List.of());
    }

    SessionCopy copy(List<ByteString> held) throws IOException {
        long device = ((Number) Files.getAttribute(host, "unix:dev")).longValue();
        long inode = ((Number) Files.getAttribute(host, "unix:ino")).longValue();
        var copy = new SessionCopy(
                session.resolve("copy"),
                ByteString.of(host.toRealPath().toString()),
                new GuestPath("/workspace"),
                mechanism,
                new SessionCopy.Root(device, inode),
                made,
                held);
        copy.store();
        return copy;
    }

    /// What the copy changed.
    public ChangeSet changes() throws IOException {
        return ChangeSet.of(copy());
    }

    /// One line a change, as `M a/b`, a conflict with `!`.
    List<String> lines() throws IOException {
        return changes().differences().stream().map(CopiedTree::line).toList();
    }

    static String line(Difference one) {
        var letter = switch (one.change()) {
            case Change.Added _ -> "A";
            case Change.Deleted _ -> "D";
            case Change.Modified _ -> "M";
            case Change.ModeChanged _ -> "P";
        };
        return letter + (one.conflict().isPresent() ? "!" : "") + " " + one.path();
    }

    /// Runs a program to its end and returns what it printed.
    ///
    /// @throws IOException if it fails
    public static String run(List<String> command, Path directory) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
        return output;
    }
}
