package dev.cagewright.supervisor.anchor;

import dev.cagewright.audit.checkpoint.CheckpointFiles;
import dev.cagewright.supervisor.state.OwnerFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/// `<log>.scheduled`: the lines whose checkpoints beside a log were made because it was time to, and that nobody else
/// has: the oldest of them go. A checkpoint that is not in the list is never touched, nor one that a person made or an
/// anchor has. Safe for all threads and processes.
///
/// @param log the log's file
record ScheduledCheckpoints(Path log) {
    /// How many stay.
    static final int KEPT = 100;

    private static final int LONGEST = 64 << 10;
    private static final Pattern SEQ = Pattern.compile("[1-9][0-9]{0,17}");
    private static final ReentrantLock ONE_IN_THIS_PROCESS = new ReentrantLock();

    /// What is done to the list, while nobody else reads or writes it.
    @FunctionalInterface
    private interface Change {
        void to(SortedSet<Long> lines) throws IOException;
    }

    ScheduledCheckpoints {
        log = log.toAbsolutePath();
    }

    /// The checkpoint of line `seq` was made on schedule; of those, all but the newest go.
    ///
    /// @throws IOException if the list cannot be read or written, or a file not removed
    void add(long seq) throws IOException {
        change(lines -> {
            lines.add(seq);
            var files = new CheckpointFiles(log);
            while (lines.size() > KEPT) {
                Files.deleteIfExists(files.file(lines.removeFirst()));
            }
        });
    }

    /// The checkpoint of line `seq` is somebody's: it stays.
    void release(long seq) throws IOException {
        if (Files.exists(file(), LinkOption.NOFOLLOW_LINKS)) {
            change(lines -> lines.remove(seq));
        }
    }

    private Path file() {
        return log.resolveSibling(log.getFileName() + ".scheduled");
    }

    private void change(Change change) throws IOException {
        var options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var file = file();
        ONE_IN_THIS_PROCESS.lock();
        try (var channel = FileChannel.open(file.resolveSibling(file.getFileName() + ".lock"), options, owner);
                var _ = channel.lock()) {
            var lines = read(file);
            var before = Set.copyOf(lines);
            change.to(lines);
            if (!lines.equals(before)) {
                OwnerFile.write(file, text(lines));
            }
        } finally {
            ONE_IN_THIS_PROCESS.unlock();
        }
    }

    private static byte[] text(Set<Long> lines) {
        var text = new StringBuilder();
        lines.forEach(seq -> text.append(seq).append('\n'));
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static SortedSet<Long> read(Path file) throws IOException {
        var lines = new TreeSet<Long>();
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return lines;
        }
        var text = new String(OwnerFile.read(file, LONGEST), StandardCharsets.ISO_8859_1);
        for (var line : text.lines().toList()) {
            if (!SEQ.matcher(line).matches()) {
                throw new IOException(file + ": holds what is no line's number (expected: the product's own list; "
                        + "without it every checkpoint made so far stays)");
            }
            lines.add(Long.parseLong(line));
        }
        return lines;
    }
}
