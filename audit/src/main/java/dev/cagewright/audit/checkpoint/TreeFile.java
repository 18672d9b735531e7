package dev.cagewright.audit.checkpoint;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.cagewright.audit.merkle.CompactRange;
import dev.cagewright.audit.merkle.TreeHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// `<log>.tree`: what it takes to go on with a log's tree without reading the log again. Nothing vouches for the file:
/// it
/// counts only where a checkpoint that the reader signed itself has the same size and the root that the hashes give.
///
/// @param offset behind the line feed of the tree's last line, in bytes
/// @param tree of that many lines
public record TreeFile(long offset, CompactRange tree) {
    private static final String FORM = "cagewright audit tree v1";
    private static final int LONGEST = 8192;

    /// The file beside `log`.
    public static Path beside(Path log) {
        var path = log.toAbsolutePath();
        return path.resolveSibling(path.getFileName() + ".tree");
    }

    /// What the file beside `log` holds, if that belongs to `checkpoint`. Empty for a file that is missing, damaged or
    /// of
    /// another size: the log has to be read from its start then.
    public static Optional<TreeFile> of(Path log, Checkpoint checkpoint) {
        try {
            var lines = text(beside(log)).lines().toList();
            if (lines.size() < 3 || !lines.getFirst().equals(FORM)) {
                return Optional.empty();
            }
            var hashes = new ArrayList<TreeHash>();
            for (var line : lines.subList(3, lines.size())) {
                hashes.add(TreeHash.ofBase64(line));
            }
            var tree = CompactRange.of(Long.parseLong(lines.get(1)), hashes);
            var file = new TreeFile(Long.parseLong(lines.get(2)), tree);
            return Optional.of(file).filter(found -> found.tree.head().equals(checkpoint.tree()));
        } catch (IOException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// Writes the file beside `log`, as a whole or not at all.
    ///
    /// @throws IOException if it cannot be written; an older one stays
    public void write(Path log) throws IOException {
        var file = beside(log);
        var lines = new ArrayList<>(List.of(FORM, Long.toString(tree.size()), Long.toString(offset)));
        tree.roots().forEach(hash -> lines.add(hash.base64()));
        var fresh = Files.createTempFile(
                file.getParent(),
                file.getFileName() + ".",
                ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            Files.write(fresh, (String.join("\n", lines) + "\n").getBytes(US_ASCII));
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private static String text(Path file) throws IOException {
        var buffer = ByteBuffer.allocate(LONGEST);
        try (var in = FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            while (buffer.hasRemaining() && in.read(buffer) > 0) {}
        }
        return new String(buffer.array(), 0, buffer.position(), US_ASCII);
    }
}
