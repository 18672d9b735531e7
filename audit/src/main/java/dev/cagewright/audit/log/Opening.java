package dev.cagewright.audit.log;

import dev.cagewright.audit.chain.Head;
import dev.cagewright.audit.chain.LineScanner;
import dev.cagewright.audit.event.LineFormat;
import dev.cagewright.audit.event.LineSyntaxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/// Opens one log: lock, file, verification, committer. What was opened is closed again if a later step fails.
final class Opening {
    /// Logs up to this size are verified from their first line, in bytes.
    static final long WHOLE = 1 << 20;

    /// Of larger logs, this much of the end is verified, in bytes.
    private static final long WINDOW = LineFormat.MAX_LINE + (256L << 10);

    private final Path path;
    private final InstantSource clock;
    private final Channels channels;
    private final Duration patience;
    private final Optional<Sealer> sealer;

    Opening(Path path, InstantSource clock, Channels channels, Duration patience) {
        this(path, clock, channels, patience, Optional.empty());
    }

    private Opening(Path path, InstantSource clock, Channels channels, Duration patience, Optional<Sealer> sealer) {
        this.path = path;
        this.clock = clock;
        this.channels = channels;
        this.patience = patience;
        this.sealer = sealer;
    }

    /// The log will be sealed when it is opened, by `first`.
    Opening sealing(Sealer first) {
        return new Opening(path, clock, channels, patience, Optional.of(first));
    }

    AuditLog open() throws IOException {
        Files.createDirectories(Objects.requireNonNull(path.getParent()), LogFile.PRIVATE_FOLDER);
        var lock = LogLock.open(path.resolveSibling(path.getFileName() + ".lock"));
        try (var held = lock.acquire(patience)) {
            return openLocked(lock, held);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private AuditLog openLocked(LogLock lock, LogLock.Held held) throws IOException {
        boolean fresh = !Files.exists(path, LinkOption.NOFOLLOW_LINKS);
        if (fresh) {
            nothingSigned(0);
            LogFile.create(path);
        }
        var file = LogFile.open(path, channels);
        try {
            var ledger = new Ledger(path, file, clock, new Epochs(path, lock, channels));
            ledger.notTainted();
            if (file.contentEnd() == 0) {
                nothingSigned(0);
            }
            var intents = ledger.load(start(file));
            nothingSigned(ledger.head().seq());
            ledger.catchUp(held);
            if (sealer.isPresent()) {
                ledger.beginSealing(sealer.get());
            } else {
                ledger.seal();
            }
            return AuditLog.of(path, new Committer(ledger, lock, patience), intents.ids());
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /// A checkpoint above the last line means that lines are gone: a log is never begun anew behind its back.
    private void nothingSigned(long last) throws IOException {
        var newest = newestCheckpoint();
        if (newest.isPresent() && newest.getAsLong() > last) {
            throw new IOException("audit log " + path + " ends at line " + last
                    + ", but a checkpoint was signed for line " + newest.getAsLong() + ": lines are missing");
        }
    }

    private OptionalLong newestCheckpoint() throws IOException {
        var prefix = path.getFileName() + ".checkpoint.";
        try (var siblings = Files.list(Objects.requireNonNull(path.getParent()))) {
            return siblings.map(sibling -> String.valueOf(sibling.getFileName()))
                    .filter(name -> name.startsWith(prefix))
                    .map(name -> name.substring(prefix.length()))
                    .filter(seq -> seq.matches("[1-9][0-9]{0,17}"))
                    .mapToLong(Long::parseLong)
                    .max();
        }
    }

    /// The line to start from: the first whole one in the window at the end.
    private Head start(LogFile file) throws IOException {
        long size = file.contentEnd();
        if (size <= WHOLE) {
            return Head.START;
        }
        var scanner = new LineScanner(file.channel(), Math.max(0, size - WINDOW));
        scanner.nextOrNull();
        var line = scanner.nextOrNull();
        if (line == null) {
            throw new IOException("audit log " + path + " holds no whole line in its last " + WINDOW + " bytes");
        }
        try {
            var first = LineFormat.parse(line);
            return new Head(first.seq(), first.hash(), first.time(), scanner.offset());
        } catch (LineSyntaxException e) {
            throw new IOException(
                    String.format(
                            Locale.ROOT,
                            "audit log %s is damaged before byte %d: %s",
                            path,
                            scanner.offset(),
                            e.getMessage()),
                    e);
        }
    }
}
