package dev.cagewright.supervisor.copy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostEntry;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.LinkInPathException;
import dev.cagewright.sandbox.files.RelativePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/// What the files that a workload changed were when its session began, kept beside its copy as soon as it changed
/// them, as long as the host has them unchanged: what a later change of the host's is compared with. Small and few
/// files only. For one thread.
public final class Bases {
    /// Larger files are not kept, bytes.
    static final int LARGEST = 4 << 20;

    private static final int FILES = 20_000;
    private static final long ALL_BYTES = 256L << 20;
    private static final int NAMES = 100_000;
    private static final int DEPTH = 128;
    private static final Set<String> SKIPPED = Set.of(".git", "node_modules");

    private final SessionCopy copy;
    private final Set<ByteString> settled = new HashSet<>();
    private long bytes;
    private int names;

    public Bases(SessionCopy copy) {
        this.copy = copy;
    }

    private Path folder() {
        return copy.folder().resolveSibling("base-" + copy.folder().getFileName());
    }

    /// The bytes of `path` when the session began; empty if they are not known.
    public Optional<byte[]> of(RelativePath path) throws IOException {
        var file = folder().resolve(nameOf(path));
        return Files.isRegularFile(file) ? Optional.of(Files.readAllBytes(file)) : Optional.empty();
    }

    /// Host and copy have come to the same at `path`: from here on changes are counted from `bytes`.
    public void settle(RelativePath path, byte[] bytes) throws IOException {
        if (bytes.length <= LARGEST) {
            write(path, bytes);
        } else {
            Files.deleteIfExists(folder().resolve(nameOf(path)));
        }
    }

    /// Keeps what has been changed since the last time. What cannot be looked at is left out.
    public void keep() {
        names = 0;
        try (var host = HostFolder.open(copy.lower());
                var upper = HostFolder.open(ByteString.of(copy.upper().toString()))) {
            keep(RelativePath.TOP, host, upper);
        } catch (IOException _) {
            return; // nothing is known of what is not kept, and that is told where it matters
        }
    }

    private void keep(RelativePath at, HostFolder host, HostFolder upper) throws IOException {
        for (ByteString name : upper.names(NAMES)) {
            var path = at.child(name);
            if (++names > NAMES || settled.size() >= FILES || bytes >= ALL_BYTES) {
                return;
            }
            if (settled.contains(path.bytes()) || SKIPPED.contains(name.latin1())) {
                continue;
            }
            var entry = upper.look(name);
            if (entry.isPresent() && entry.get().isFolder() && path.names().size() < DEPTH) {
                keepBelow(path, host, upper);
            } else if (entry.isPresent() && entry.get().isFile()) {
                keepFile(path, host, entry.get());
            }
        }
    }

    private void keepBelow(RelativePath path, HostFolder host, HostFolder upper) {
        try (var lower = host.folder(path.name()).orElse(null);
                var above = upper.folder(path.name()).orElse(null)) {
            if (lower != null && above != null) {
                keep(path, lower, above);
            }
        } catch (IOException _) {
            return; // shut, or something else by now
        }
    }

    private void keepFile(RelativePath path, HostFolder host, HostEntry changed) throws IOException {
        var entry = host.look(path.name());
        if (entry.isEmpty() || !isOfBefore(entry.get())) {
            settled.add(path.bytes());
            return;
        }
        if (entry.get().size() == changed.size() && entry.get().modified().equals(changed.modified())) {
            return; // copied up, and not changed yet
        }
        settled.add(path.bytes());
        if (Files.exists(folder().resolve(nameOf(path)))) {
            return;
        }
        try (var file = host.read(path.name())) {
            var content = file.head(LARGEST);
            if (isOfBefore(file.look()) && content.length == file.look().size()) {
                bytes += content.length;
                write(path, content);
            }
        } catch (LinkInPathException _) {
            return;
        }
    }

    private boolean isOfBefore(HostEntry entry) {
        return entry.isFile() && entry.size() <= LARGEST && entry.changed().isBefore(copy.made());
    }

    private void write(RelativePath path, byte[] content) throws IOException {
        if (!Files.isDirectory(folder())) {
            Files.createDirectory(
                    folder(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        var fresh = folder().resolve("fresh");
        Files.write(fresh, content);
        Files.move(
                fresh,
                folder().resolve(nameOf(path)),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private static String nameOf(RelativePath path) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(path.bytes().toByteArray()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing from this JDK", e);
        }
    }
}
