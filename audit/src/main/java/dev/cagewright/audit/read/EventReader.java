package dev.cagewright.audit.read;

import dev.cagewright.audit.chain.LineScanner;
import dev.cagewright.audit.chain.ZeroTail;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Looks up events of one log, which may be growing meanwhile. Takes no lock. Immutable.
public final class EventReader {
    /// How often a followed log is looked at.
    private static final Duration PACE = Duration.ofMillis(100);

    /// How many earlier events a follower shows at most.
    private static final long MOST_BEFORE = 10_000;

    private final Path log;

    /// Takes what was found, line by line.
    @FunctionalInterface
    public interface Sink {
        /// One line, in the order of the reading.
        ///
        /// @throws IOException ends the reading
        void take(StoredLine line) throws IOException;
    }

    /// Opens nothing yet.
    ///
    /// @param log may appear later
    public EventReader(Path log) {
        this.log = log;
    }

    /// Gives `sink` what `query` wants, the newest first, reading from the end and no further than it must. A line
    /// that is just being written is left out.
    ///
    /// @throws IOException if the log cannot be read, or `sink` throws it
    public void newestFirst(EventQuery query, Sink sink) throws IOException {
        try (var file = open()) {
            var lines = new BackwardScanner(file, ZeroTail.contentEnd(file));
            long left = query.limit();
            for (var line = lines.nextOrNull(); line != null && left > 0; line = lines.nextOrNull()) {
                var stored = StoredLine.of(line);
                if (stored instanceof StoredLine.Whole(var readable) && query.isBefore(readable)) {
                    return;
                }
                if (isWanted(stored, query)) {
                    sink.take(stored);
                    left--;
                }
            }
        }
    }

    /// Gives `sink` what `query` wants, the oldest first, up to the end that the log has now. It reads from the query's
    /// time on, or from the log's begin.
    ///
    /// @throws IOException if the log cannot be read, or `sink` throws it
    public void oldestFirst(EventQuery query, Sink sink) throws IOException {
        try (var file = open()) {
            long end = ZeroTail.contentEnd(file);
            var lines = new LineScanner(file, query.since().isPresent() ? begin(file, end, query) : 0);
            long left = query.limit();
            while (left > 0 && lines.offset() < end) {
                var line = lines.nextOrNull();
                if (line == null) {
                    return;
                }
                var stored = StoredLine.of(line);
                if (isWanted(stored, query)) {
                    sink.take(stored);
                    left--;
                }
            }
        }
    }

    /// Where the first line stands that is not too old.
    private static long begin(FileChannel file, long end, EventQuery query) throws IOException {
        var lines = new BackwardScanner(file, end);
        long from = lines.offset();
        for (var line = lines.nextOrNull(); line != null; line = lines.nextOrNull()) {
            if (StoredLine.of(line) instanceof StoredLine.Whole(var readable) && query.isBefore(readable)) {
                return from;
            }
            from = lines.offset();
        }
        return 0;
    }

    /// Gives `sink` the newest of what `query` wants, oldest first, then everything that is appended, until this thread
    /// is interrupted or `sink` throws.
    ///
    /// @throws IOException if the log is cut, replaced or gone, cannot be read, or `sink` throws it
    public void follow(EventQuery query, Sink sink) throws IOException {
        try (var file = open()) {
            var identity = identity();
            var scanner = new LineScanner(file, showNewest(file, ZeroTail.contentEnd(file), query, sink));
            while (!Thread.currentThread().isInterrupted()) {
                showNew(scanner, query, sink);
                LockSupport.parkNanos(PACE.toNanos());
                stillThere(file, identity, scanner.offset());
            }
        } catch (ClosedByInterruptException _) {
            // asked to end in the middle of a read: the interrupt stays set, the caller sees it
        }
    }

    private static void showNew(LineScanner scanner, EventQuery query, Sink sink) throws IOException {
        for (var line = scanner.nextOrNull(); line != null; line = scanner.nextOrNull()) {
            var stored = StoredLine.of(line);
            if (isWanted(stored, query)) {
                sink.take(stored);
            }
        }
    }

    /// Returns the offset behind the last whole line.
    private static long showNewest(FileChannel file, long size, EventQuery query, Sink sink) throws IOException {
        var lines = new BackwardScanner(file, size);
        long end = lines.offset();
        var newest = new ArrayDeque<StoredLine>();
        for (var line = lines.nextOrNull();
                line != null && newest.size() < Math.min(query.limit(), MOST_BEFORE);
                line = lines.nextOrNull()) {
            var stored = StoredLine.of(line);
            if (stored instanceof StoredLine.Whole(var readable) && query.isBefore(readable)) {
                break;
            }
            if (isWanted(stored, query)) {
                newest.addFirst(stored);
            }
        }
        for (var stored : newest) {
            sink.take(stored);
        }
        return end;
    }

    private static boolean isWanted(StoredLine stored, EventQuery query) {
        return switch (stored) {
            case StoredLine.Whole(var line) -> query.matches(line);
            case StoredLine.Damaged _ -> true;
        };
    }

    private FileChannel open() throws IOException {
        try {
            return FileChannel.open(log, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            throw new IOException("there is no audit log at " + log, e);
        }
    }

    private @Nullable Object identity() throws IOException {
        return Files.readAttributes(log, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    private void stillThere(FileChannel file, @Nullable Object identity, long read) throws IOException {
        if (!Files.exists(log, LinkOption.NOFOLLOW_LINKS) || !Objects.equals(identity(), identity)) {
            throw new IOException("audit log " + log + " was replaced or removed while it was followed");
        }
        if (file.size() < read) {
            throw new IOException("audit log " + log + " was cut while it was followed");
        }
    }
}
