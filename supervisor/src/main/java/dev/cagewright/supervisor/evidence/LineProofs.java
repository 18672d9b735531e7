package dev.cagewright.supervisor.evidence;

import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.chain.ChainWalker;
import dev.cagewright.audit.chain.LineScanner;
import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.checkpoint.CheckpointFiles;
import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.merkle.CompactRange;
import dev.cagewright.audit.merkle.InclusionPath;
import dev.cagewright.audit.merkle.PathCollector;
import dev.cagewright.audit.merkle.TreeHash;
import dev.cagewright.audit.proof.InclusionProof;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Proofs that lines are in a log, all against one checkpoint of it, made in one reading of the log.
///
/// @param proofs by line number, without the lines
record LineProofs(Checkpoint checkpoint, SortedMap<Long, InclusionProof> proofs) {
    /// So many lines are proven at most; a receipt's digest binds the others.
    static final int MOST = 1_000;

    /// Proofs for `lines`, as many as a checkpoint reaches; empty when there is no checkpoint that reaches one.
    ///
    /// @param log with its checkpoints beside it
    /// @throws IOException if the log or a checkpoint cannot be read
    /// @throws BrokenChainException if the log is not the one that the checkpoint is about
    static Optional<LineProofs> of(Path log, List<LogLine> lines) throws IOException, BrokenChainException {
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        var found = reaching(log, lines);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        var checkpoint = found.get();
        var collectors = new TreeMap<Long, PathCollector<InclusionPath>>();
        lines.stream()
                .map(LogLine::seq)
                .filter(seq -> seq <= checkpoint.seq())
                .limit(MOST)
                .forEach(seq -> collectors.put(seq, InclusionPath.collector(seq - 1, checkpoint.seq())));
        pass(log, checkpoint, collectors);
        var proofs = new TreeMap<Long, InclusionProof>();
        collectors.forEach((seq, collector) ->
                proofs.put(seq, new InclusionProof(collector.path(), Optional.empty(), checkpoint)));
        return Optional.of(new LineProofs(checkpoint, proofs));
    }

    /// The first checkpoint that reaches the last line, else the newest that reaches the first.
    private static Optional<Checkpoint> reaching(Path log, List<LogLine> lines) throws IOException {
        var all = new TreeMap<Long, Checkpoint>();
        for (Path file : new CheckpointFiles(log).list()) {
            var checkpoint = Checkpoint.read(file);
            all.put(checkpoint.seq(), checkpoint);
        }
        var whole = all.ceilingEntry(lines.getLast().seq());
        var newest = all.lastEntry();
        if (whole != null) {
            return Optional.of(whole.getValue());
        }
        return newest != null && newest.getKey() >= lines.getFirst().seq()
                ? Optional.of(newest.getValue())
                : Optional.empty();
    }

    private static void pass(Path log, Checkpoint checkpoint, SortedMap<Long, PathCollector<InclusionPath>> collectors)
            throws IOException, BrokenChainException {
        var tree = CompactRange.empty();
        var walker = ChainWalker.fromStart();
        try (var file = FileChannel.open(log, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            var scanner = new LineScanner(file, 0);
            for (var line = scanner.nextOrNull();
                    line != null && tree.size() < checkpoint.seq();
                    line = scanner.nextOrNull()) {
                walker.next(line);
                var leaf = TreeHash.leaf(line);
                tree.add(leaf);
                collectors.values().forEach(collector -> collector.take(leaf));
            }
        }
        if (!tree.head().equals(checkpoint.tree())) {
            throw new BrokenChainException(
                    0,
                    0,
                    "the first " + checkpoint.seq() + " lines of the log are not those that its checkpoint was"
                            + " signed for");
        }
    }
}
