package dev.cagewright.audit.verify;

import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.chain.ChainWalker;
import dev.cagewright.audit.chain.ChainWalker.Freeze;
import dev.cagewright.audit.chain.LineScanner;
import dev.cagewright.audit.chain.OpenIntents;
import dev.cagewright.audit.chain.ZeroTail;
import dev.cagewright.audit.checkpoint.LogState;
import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SealKey;
import dev.cagewright.audit.merkle.CompactRange;
import dev.cagewright.audit.merkle.TreeHash;
import dev.cagewright.audit.note.NoteKey;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Verifies one log from its first line to its last. A log that is being written meanwhile is verified up to some
/// whole line. Immutable.
public final class LogVerifier {
    /// How often a torn last line is looked at again where a writer may be at work: it may just be being written.
    private static final int PATIENCE = 20;

    private static final long PAUSE = 10_000_000;

    private final Path log;
    private final Trust trust;
    private final List<Path> anchors;
    private final Optional<SealKey> sealKey;

    private LogVerifier(Path log, Trust trust, List<Path> anchors, Optional<SealKey> sealKey) {
        this.log = log;
        this.trust = trust;
        this.anchors = anchors;
        this.sealKey = sealKey;
    }

    /// Verifies `log` against the checkpoints beside it, without their signatures.
    public static LogVerifier of(Path log) {
        return new LogVerifier(log, Trust.NOBODY, List.of(), Optional.empty());
    }

    /// All checkpoints must be signed with `pinned`.
    public LogVerifier pinned(PinnedKey pinned) {
        return new LogVerifier(log, trust.pinned(pinned), anchors, sealKey);
    }

    /// At least one checkpoint must be cosigned by `quorum` of these witnesses, and only such checkpoints count.
    ///
    /// @throws IllegalArgumentException if there are fewer witnesses, or one of them is none
    public LogVerifier witnessed(List<NoteKey> witnesses, int quorum) {
        return new LogVerifier(log, trust.witnessed(witnesses, quorum), anchors, sealKey);
    }

    /// Also holds the log to a checkpoint that was kept elsewhere.
    public LogVerifier anchored(Path checkpoint) {
        var more = new ArrayList<>(anchors);
        more.add(checkpoint);
        return new LogVerifier(log, trust, List.copyOf(more), sealKey);
    }

    /// All seals must be made with the keys that follow from `first`, and the log's end is judged by them.
    ///
    /// @param first closed by the caller, after [#verify]
    public LogVerifier sealed(SealKey first) {
        return new LogVerifier(log, trust, anchors, Optional.of(first));
    }

    /// Reads the whole log.
    ///
    /// @throws IOException if it cannot be read; that says nothing about what it holds
    public Verdict verify() throws IOException {
        try {
            var checkpoints = Anchors.of(log, anchors, trust);
            if (!Files.exists(log, LinkOption.NOFOLLOW_LINKS)) {
                return new Verdict.Broken(0, 0, "there is no log at " + log + checkpoints.missed());
            }
            try (var file = FileChannel.open(log, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
                    var seals = new SealCheck(log, sealKey)) {
                return new Walk(file, checkpoints, seals, patience()).walk();
            }
        } catch (BrokenChainException e) {
            return new Verdict.Broken(e.line(), e.offset(), String.valueOf(e.getMessage()));
        }
    }

    private int patience() {
        return Files.exists(log.resolveSibling(log.getFileName() + ".lock"), LinkOption.NOFOLLOW_LINKS) ? PATIENCE : 0;
    }

    /// One pass over one file.
    private static final class Walk {
        private final FileChannel file;
        private final Anchors anchors;
        private final SealCheck seals;
        private final int patience;
        private final ChainWalker walker = ChainWalker.fromStart();
        private final CompactRange tree = CompactRange.empty();
        private final OpenIntents intents = new OpenIntents();
        private String id = "";
        private Optional<String> panic = Optional.empty();

        Walk(FileChannel file, Anchors anchors, SealCheck seals, int patience) {
            this.seals = seals;
            this.file = file;
            this.anchors = anchors;
            this.patience = patience;
        }

        Verdict walk() throws IOException, BrokenChainException {
            var scanner = new LineScanner(file, 0);
            for (var line = nextOrNull(scanner); line != null; line = nextOrNull(scanner)) {
                long offset = walker.head().end();
                tree.add(TreeHash.leaf(line));
                take(walker.next(line), offset);
            }
            whole(scanner);
            anchors.allReached(walker.head());
            var notes = new Verdict.Notes(anchors.verified(), intents.ids(), panic, sealing());
            return new Verdict.Intact(state(), anchors.newest(), notes);
        }

        private Sealing sealing() {
            return seals.judge(walker.head().seq(), anchors.newest(), walker.freeze());
        }

        private void take(LogLine line, long offset) throws BrokenChainException {
            seals.take(line, offset);
            if (line.seq() == 1) {
                id = line.event().detail().text("log").orElse("");
            }
            intents.take(line);
            if (anchors.waitFor(line.seq())) {
                anchors.reached(state(), offset);
            }
            if (walker.freeze() == Freeze.FROZEN) {
                panic = Optional.of(line.event().detail().text("reason").orElse(""));
            }
        }

        private LogState state() {
            return new LogState(id, tree.head(), walker.head().hash());
        }

        private byte @Nullable [] nextOrNull(LineScanner scanner) throws IOException {
            var line = scanner.nextOrNull();
            for (int i = 0; line == null && i < patience && isTorn(scanner); i++) {
                LockSupport.parkNanos(PAUSE);
                line = scanner.nextOrNull();
            }
            return line;
        }

        private boolean isTorn(LineScanner scanner) throws IOException {
            return ZeroTail.contentEnd(file) > scanner.offset();
        }

        private void whole(LineScanner scanner) throws IOException, BrokenChainException {
            var rest = scanner.rest();
            var head = walker.head();
            if (rest.length > 0) {
                var reason = walker.freeze() != Freeze.OPEN
                        ? ChainWalker.FROZEN
                        : "the last line is torn: its " + rest.length
                                + " bytes have no line end (the next writer sets them aside and says so in the log)";
                throw new BrokenChainException(head.seq() + 1, head.end(), reason);
            }
            if (isTorn(scanner)) {
                throw new BrokenChainException(head.seq() + 1, head.end(), "zero bytes stand before other bytes");
            }
            if (head.seq() == 0) {
                throw new BrokenChainException(1, 0, "the log is empty" + anchors.missed());
            }
        }
    }
}
