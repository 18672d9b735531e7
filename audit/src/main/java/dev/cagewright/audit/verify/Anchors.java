package dev.cagewright.audit.verify;

import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.chain.Head;
import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.key.PinnedKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// The checkpoints that a log is held to, by line.
final class Anchors {
    private final TreeMap<Long, List<Checkpoint>> waiting = new TreeMap<>();
    private final boolean trusted;
    private final int count;
    private long newest;

    private Anchors(List<Checkpoint> checkpoints, boolean trusted) {
        this.trusted = trusted;
        this.count = checkpoints.size();
        for (var checkpoint : checkpoints) {
            waiting.computeIfAbsent(checkpoint.seq(), _ -> new ArrayList<>()).add(checkpoint);
        }
    }

    /// Reads the checkpoints beside `log` and `more`.
    ///
    /// @throws BrokenChainException if one of them is not what it says it is
    static Anchors of(Path log, List<Path> more, Optional<PinnedKey> key) throws IOException, BrokenChainException {
        var found = new ArrayList<Checkpoint>();
        for (var file : Checkpoint.beside(log)) {
            var checkpoint = read(file, key);
            if (!String.valueOf(file.getFileName()).endsWith(".checkpoint." + checkpoint.seq())) {
                throw wrong("checkpoint " + file + " is about line " + checkpoint.seq());
            }
            found.add(checkpoint);
        }
        for (var file : more) {
            found.add(read(file, key));
        }
        return new Anchors(found, key.isPresent());
    }

    private static Checkpoint read(Path file, Optional<PinnedKey> key) throws BrokenChainException {
        Checkpoint checkpoint;
        try {
            checkpoint = Checkpoint.read(file);
        } catch (IOException e) {
            var wrong = wrong(String.valueOf(e.getMessage()));
            wrong.initCause(e);
            throw wrong;
        }
        if (key.isPresent() && !checkpoint.signedBy(key.get())) {
            throw wrong("checkpoint " + file + " is not signed with the pinned key");
        }
        return checkpoint;
    }

    /// Holds `line` to the checkpoints about it.
    void reached(String log, LogLine line, long offset) throws BrokenChainException {
        if (waiting.isEmpty() || waiting.firstKey() != line.seq()) {
            return;
        }
        for (var checkpoint : waiting.pollFirstEntry().getValue()) {
            if (!checkpoint.log().equals(log)) {
                throw new BrokenChainException(1, 0, "the checkpoint of line " + line.seq() + " is about another log");
            }
            if (!checkpoint.head().equals(line.hash())) {
                throw new BrokenChainException(
                        line.seq(), offset, "the line is not the one that its checkpoint was signed for");
            }
        }
        newest = line.seq();
    }

    /// @throws BrokenChainException if the log ended before a line that a checkpoint is about
    void allReached(Head head) throws BrokenChainException {
        if (!waiting.isEmpty()) {
            throw new BrokenChainException(
                    head.seq() + 1,
                    head.end(),
                    "the log ends here, but a checkpoint was signed for line " + waiting.lastKey());
        }
    }

    String missed() {
        return waiting.isEmpty() ? "" : ", but a checkpoint was signed for line " + waiting.lastKey();
    }

    /// How many checkpoints were verified with the pinned key.
    int verified() {
        return trusted ? count : 0;
    }

    /// The last line that a verified checkpoint reaches.
    long newest() {
        return trusted ? newest : 0;
    }

    private static BrokenChainException wrong(String reason) {
        return new BrokenChainException(0, 0, reason);
    }
}
