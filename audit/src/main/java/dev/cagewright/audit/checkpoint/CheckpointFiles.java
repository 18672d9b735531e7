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
import java.util.Set;
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

    /// Writes a checkpoint, durably.
    ///
    /// @throws IOException if it cannot be written or there is one for that line already
    public Path write(Checkpoint checkpoint) throws IOException {
        var file = file(checkpoint.seq());
        var options = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (var out = FileChannel.open(file, options, mode)) {
            var bytes = ByteBuffer.wrap(checkpoint.bytes());
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        } catch (FileAlreadyExistsException e) {
            throw new IOException("line " + checkpoint.seq() + " is signed already by " + file, e);
        }
        try (var folder = FileChannel.open(Objects.requireNonNull(file.getParent()), StandardOpenOption.READ)) {
            folder.force(true);
        }
        return file;
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
