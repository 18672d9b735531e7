package dev.cagewright.supervisor.resident;

import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Where the background supervisor of a person is: a folder of the state, 0700, with the lock that the living one
/// holds, the address of its socket, and its notes. One state folder has one supervisor; who has another has another.
///
/// @param folder it
public record SupervisorPlace(Path folder) {
    /// `sun_path` of unix(7) has 108 bytes, the last of them NUL.
    private static final int LONGEST = 107;

    private static final int MOST_ADDRESS = 4096;

    /// Its folder, created 0700.
    public static SupervisorPlace of(StateFolders folders) throws IOException {
        return new SupervisorPlace(folders.supervisor());
    }

    /// What the supervisor says of itself.
    public Path notes() {
        return folder.resolve("log");
    }

    /// What its process says beside that, when it cannot go on.
    public Path output() {
        return folder.resolve("output");
    }

    private Path addressFile() {
        return folder.resolve("address");
    }

    /// Where the last one listened or listens.
    public Optional<Path> address() throws IOException {
        try {
            var text = new String(OwnerFile.read(addressFile(), MOST_ADDRESS), StandardCharsets.UTF_8).strip();
            return text.startsWith("/") ? Optional.of(Path.of(text)) : Optional.empty();
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    void tell(Path socket) throws IOException {
        OwnerFile.write(addressFile(), (socket + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /// Locks it for as long as the answer is open, or as the process lives.
    ///
    /// @return empty if another one has it
    Optional<FileChannel> lock() throws IOException {
        var channel = FileChannel.open(
                folder.resolve("lock"),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            if (channel.tryLock() != null) {
                return Optional.of(channel);
            }
        } catch (OverlappingFileLockException _) {
            // this process has it
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        return Optional.empty();
    }

    /// Where a socket can be, the best first: the person's runtime folder, the state, a new folder for temporary files.
    ///
    /// @throws IOException if there is none short enough
    Path socket(Map<String, String> environment) throws IOException {
        for (Path candidate : candidates(environment)) {
            if (candidate.toString().getBytes(StandardCharsets.UTF_8).length <= LONGEST) {
                return candidate;
            }
        }
        return Files.createTempDirectory("cagewright-").resolve("socket"); // 0700
    }

    private List<Path> candidates(Map<String, String> environment) throws IOException {
        var all = new ArrayList<Path>();
        var runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        if (runtime.startsWith("/") && isOwnAlone(Path.of(runtime))) {
            var ours = Path.of(runtime, "cagewright");
            makeOwn(ours);
            if (isOwnAlone(ours)) {
                all.add(ours.resolve(digest() + ".socket"));
            }
        }
        all.add(folder.resolve("socket"));
        return all;
    }

    private static void makeOwn(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
    }

    /// Nobody else may so much as enter it.
    private boolean isOwnAlone(Path candidate) throws IOException {
        try {
            var there = Files.readAttributes(candidate, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return there.isDirectory()
                    && there.owner().equals(Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS))
                    && PosixFilePermissions.toString(there.permissions()).endsWith("------");
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    private String digest() {
        try {
            var hash = MessageDigest.getInstance("SHA-256")
                    .digest(folder.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: absent (expected: in every JDK)", e);
        }
    }
}
