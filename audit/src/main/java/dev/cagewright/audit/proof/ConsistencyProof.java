package dev.cagewright.audit.proof;

import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.merkle.ConsistencyPath;
import dev.cagewright.audit.note.NoteSyntaxException;
import java.util.List;

/// That the log of a checkpoint begins with the log of an older one. In the form that c2sp.org/tlog-witness gives to
/// what
/// is sent to a witness.
///
/// @param path between both sizes
/// @param checkpoint the newer one
public record ConsistencyProof(ConsistencyPath path, Checkpoint checkpoint) {
    public ConsistencyProof {
        if (path.to() != checkpoint.seq()) {
            throw new IllegalArgumentException(
                    "path: to " + path.to() + " lines (expected: the checkpoint's " + checkpoint.seq() + ")");
        }
    }

    /// Reads a proof.
    ///
    /// @throws NoteSyntaxException if the bytes are not exactly one proof
    public static ConsistencyProof parse(byte[] bytes) throws NoteSyntaxException {
        var text = ProofText.parse(bytes);
        long old = text.number(0, "old");
        if (old > text.checkpoint().seq()) {
            throw new NoteSyntaxException("is about an older log that is longer than its checkpoint's");
        }
        return new ConsistencyProof(
                new ConsistencyPath(old, text.checkpoint().seq(), text.hashes(1)), text.checkpoint());
    }

    /// Does the checkpoint's log begin with the log of `old`?
    public boolean follows(Checkpoint old) {
        return old.log().equals(checkpoint.log())
                && old.seq() == path.from()
                && path.connects(old.tree().root(), checkpoint.tree().root());
    }

    public byte[] bytes() {
        return ProofText.write(List.of("old " + path.from()), path.hashes(), checkpoint);
    }
}
