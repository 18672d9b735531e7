package dev.cagewright.audit.verify;

import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.chain.Head;
import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.checkpoint.CheckpointFiles;
import dev.cagewright.audit.checkpoint.LogState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// The checkpoints that a log is held to, by line.
final class Anchors {
    private final TreeMap<Long, List<Checkpoint>> waiting = new TreeMap<>();
    private final Trust trust;
    private int counted;
    private long newest;

    private Anchors(List<Checkpoint> checkpoints, Trust trust) {
        this.trust = trust;
        for (var checkpoint : checkpoints) {
            waiting.computeIfAbsent(checkpoint.seq(), _ -> new ArrayList<>()).add(checkpoint);
        }
    }

    /// Reads the checkpoints beside `log` and `more`.
    ///
    /// @throws BrokenChainException if one of them is not what it says it is, or too few are witnessed
    static Anchors of(Path log, List<Path> more, Trust trust) throws IOException, BrokenChainException {
        var found = new ArrayList<Checkpoint>();
        var files = new CheckpointFiles(log);
        for (var file : files.list()) {
            var checkpoint =
                    read(file, one -> List.of(Checkpoint.read(one)), trust).getFirst();
            if (!file.equals(files.file(checkpoint.seq()))) {
                throw wrong("checkpoint " + file + " is about line " + checkpoint.seq());
            }
            found.add(checkpoint);
        }
        for (var file : more) {
            found.addAll(read(file, CheckpointFiles::readAll, trust));
        }
        if (trust.quorum() > 0 && found.stream().noneMatch(trust::counts)) {
            throw wrong("no checkpoint carries the cosignatures of " + trust.quorum() + " of the named witnesses");
        }
        return new Anchors(found, trust);
    }

    @FunctionalInterface
    private interface Reading {
        List<Checkpoint> of(Path file) throws IOException;
    }

    private static List<Checkpoint> read(Path file, Reading reading, Trust trust) throws BrokenChainException {
        List<Checkpoint> checkpoints;
        try {
            checkpoints = reading.of(file);
        } catch (IOException e) {
            var wrong = wrong(String.valueOf(e.getMessage()));
            wrong.initCause(e);
            throw wrong;
        }
        for (var checkpoint : checkpoints) {
            var objection = trust.objection(checkpoint);
            if (objection.isPresent()) {
                throw wrong("checkpoint " + file + " " + objection.get());
            }
        }
        return checkpoints;
    }

    /// Is there a checkpoint about line `seq`? Lines come in order.
    boolean waitFor(long seq) {
        return !waiting.isEmpty() && waiting.firstKey() == seq;
    }

    /// Holds the log to the checkpoints about its last line so far.
    ///
    /// @param offset of that line
    void reached(LogState state, long offset) throws BrokenChainException {
        for (var checkpoint : waiting.pollFirstEntry().getValue()) {
            long seq = checkpoint.seq();
            if (!checkpoint.log().equals(state.log())) {
                throw new BrokenChainException(1, 0, "the checkpoint of line " + seq + " is about another log");
            }
            if (!checkpoint.head().equals(state.head())) {
                throw new BrokenChainException(
                        seq, offset, "the line is not the one that its checkpoint was signed for");
            }
            if (!checkpoint.tree().equals(state.tree())) {
                throw new BrokenChainException(
                        seq, offset, "the lines up to here do not give the root that a checkpoint was signed for");
            }
            if (trust.counts(checkpoint)) {
                counted++;
                newest = seq;
            }
        }
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

    /// How many checkpoints counted.
    int verified() {
        return counted;
    }

    /// The last line that a checkpoint that counts reaches.
    long newest() {
        return newest;
    }

    private static BrokenChainException wrong(String reason) {
        return new BrokenChainException(0, 0, reason);
    }
}
