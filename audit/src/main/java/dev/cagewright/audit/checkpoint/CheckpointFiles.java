package dev.cagewright.audit.checkpoint;

import dev.cagewright.audit.note.NoteSyntaxException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/// The checkpoints beside a log: `<log>.checkpoint.<seq>`.
///
/// @param log the log's file
public record CheckpointFiles(Path log) {
    /// The longest file that checkpoints were appended to, in bytes.
    public static final int LONGEST_ANCHOR = 16 << 20;

    /// Where the next checkpoint begins: none of a note's other lines starts like this.
    private static final Pattern NEXT = Pattern.compile("(?<=\n)(?=" + Pattern.quote(Checkpoint.ORIGIN) + ")");

    private static final Pattern SEQ = Pattern.compile("[1-9][0-9]{0,17}");

    public CheckpointFiles {
        log = log.toAbsolutePath();
    }

    /// Where the checkpoint of line `seq` belongs.
    public Path file(long seq) {
        return log.resolveSibling(prefix() + seq);
    }

    /// Writes a checkpoint, durably, as a whole or not at all: half of one would make a good log look broken.
    ///
    /// @throws IOException if it cannot be written or there is one for that line already, then with a
    ///     [FileAlreadyExistsException] as its cause
    public Path write(Checkpoint checkpoint) throws IOException {
        var file = file(checkpoint.seq());
        var folder = Objects.requireNonNull(file.getParent());
        var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var fresh = Files.createTempFile(folder, log.getFileName() + ".unfinished-", "", mode);
        try {
            fill(fresh, checkpoint.bytes());
            Files.createLink(file, fresh);
        } catch (FileAlreadyExistsException e) {
            throw new IOException("line " + checkpoint.seq() + " is signed already by " + file, e);
        } finally {
            Files.deleteIfExists(fresh);
        }
        try (var entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
        }
        return file;
    }

    private static void fill(Path file, byte[] content) throws IOException {
        try (var out = FileChannel.open(file, StandardOpenOption.WRITE)) {
            var bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
    }

    /// All of them, by line. Empty if the log's folder is missing.
    public List<Path> list() throws IOException {
        var folder = Objects.requireNonNull(log.getParent());
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        var found = new ArrayList<Path>();
        try (var siblings = Files.newDirectoryStream(folder)) {
            for (var sibling : siblings) {
                if (String.valueOf(sibling.getFileName()).startsWith(prefix())) {
                    found.add(sibling);
                }
            }
        }
        found.sort(null);
        return List.copyOf(found);
    }

    /// Reads a file that checkpoints were appended to, one behind the other: one at least.
    ///
    /// @param file at most [#LONGEST_ANCHOR] bytes long
    /// @throws IOException if it cannot be read or holds anything else
    public static List<Checkpoint> readAll(Path file) throws IOException {
        byte[] bytes;
        try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            bytes = in.readNBytes(LONGEST_ANCHOR + 1);
        }
        if (bytes.length > LONGEST_ANCHOR) {
            throw new IOException("checkpoint " + file + " is longer than " + LONGEST_ANCHOR + " bytes");
        }
        var found = new ArrayList<Checkpoint>();
        for (var note : NEXT.split(new String(bytes, StandardCharsets.ISO_8859_1), -1)) {
            try {
                found.add(Checkpoint.parse(note.getBytes(StandardCharsets.ISO_8859_1)));
            } catch (NoteSyntaxException e) {
                throw new IOException("checkpoint " + file + " " + e.getMessage(), e);
            }
        }
        return found;
    }

    /// The one about the latest line. Empty if there is none.
    ///
    /// @throws IOException if it cannot be read
    public Optional<Checkpoint> newest() throws IOException {
        long latest = 0;
        for (var file : list()) {
            var seq = String.valueOf(file.getFileName()).substring(prefix().length());
            if (SEQ.matcher(seq).matches()) {
                latest = Math.max(latest, Long.parseLong(seq));
            }
        }
        return latest == 0 ? Optional.empty() : Optional.of(Checkpoint.read(file(latest)));
    }

    private String prefix() {
        return log.getFileName() + ".checkpoint.";
    }
}
