package dev.cagewright.audit.proof;

import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.chain.ChainWalker;
import dev.cagewright.audit.chain.LineScanner;
import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.merkle.CompactRange;
import dev.cagewright.audit.merkle.ConsistencyPath;
import dev.cagewright.audit.merkle.InclusionPath;
import dev.cagewright.audit.merkle.TreeHash;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/// Makes proofs about one log. Each reads the log once, up to the checkpoint's line, and verifies it on the way.
/// Immutable.
///
/// @param log the log's file
/// @param checkpoint what the proofs end in
public record LogProver(Path log, Checkpoint checkpoint) {
    /// Proves that line `seq` is in the log.
    ///
    /// @param seq from 1 to the checkpoint's line
    /// @throws IOException if the log cannot be read
    /// @throws BrokenChainException if the log is not the one that the checkpoint is about
    public InclusionProof inclusion(long seq) throws IOException, BrokenChainException {
        if (seq < 1 || seq > checkpoint.seq()) {
            throw new IOException(
                    "line " + seq + " is not below the checkpoint, which is about the lines 1 to " + checkpoint.seq());
        }
        var collector = InclusionPath.collector(seq - 1, checkpoint.seq());
        var kept = new Kept(seq);
        pass((number, line) -> {
            collector.take(TreeHash.leaf(line));
            kept.take(number, line);
        });
        return InclusionProof.of(collector.path(), kept.line, checkpoint);
    }

    /// Proves that the log begins with the log of `old`.
    ///
    /// @throws IOException if the log cannot be read, or `old` is newer than the checkpoint
    /// @throws BrokenChainException if the log is not the one that both checkpoints are about
    public ConsistencyProof consistency(Checkpoint old) throws IOException, BrokenChainException {
        if (old.seq() > checkpoint.seq()) {
            throw new IOException(
                    "the older checkpoint is about " + old.seq() + " lines, the newer one about " + checkpoint.seq());
        }
        var collector = ConsistencyPath.collector(old.seq(), checkpoint.seq());
        pass((_, line) -> collector.take(TreeHash.leaf(line)));
        var proof = new ConsistencyProof(collector.path(), checkpoint);
        if (!proof.follows(old)) {
            throw new BrokenChainException(
                    0, 0, "the log does not begin with the lines that the older checkpoint was signed for");
        }
        return proof;
    }

    @FunctionalInterface
    private interface Taker {
        void take(long seq, byte[] line);
    }

    private static final class Kept {
        private final long seq;
        private byte[] line = {};

        Kept(long seq) {
            this.seq = seq;
        }

        void take(long number, byte[] bytes) {
            line = number == seq ? bytes : line;
        }
    }

    private void pass(Taker taker) throws IOException, BrokenChainException {
        var tree = CompactRange.empty();
        var walker = ChainWalker.fromStart();
        try (var file = FileChannel.open(log, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            var scanner = new LineScanner(file, 0);
            while (tree.size() < checkpoint.seq()) {
                var line = scanner.nextOrNull();
                if (line == null) {
                    throw new BrokenChainException(
                            tree.size() + 1,
                            scanner.offset(),
                            "the log ends here, but a checkpoint was signed for line " + checkpoint.seq());
                }
                walker.next(line);
                tree.add(TreeHash.leaf(line));
                taker.take(tree.size(), line);
            }
        }
        if (!tree.head().equals(checkpoint.tree())) {
            throw new BrokenChainException(
                    0, 0, "the lines 1 to " + tree.size() + " are not those that the checkpoint was signed for");
        }
    }
}
