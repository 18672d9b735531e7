package dev.cagewright.audit.proof;

import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.merkle.InclusionPath;
import dev.cagewright.audit.merkle.TreeHash;
import dev.cagewright.audit.note.NoteSyntaxException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// That a line is in the log that a checkpoint is about. In the form of c2sp.org/tlog-proof; the line itself may stand
/// in its `extra` line, which nothing vouches for until [#includes] said so. Whether the checkpoint is signed by
/// somebody trusted is asked of the checkpoint.
///
/// @param path from the line to the root
/// @param extra base64 of the line's bytes without its line end; empty if the line is not told
/// @param checkpoint of a log of `path.size()` lines
public record InclusionProof(InclusionPath path, Optional<String> extra, Checkpoint checkpoint) {
    private static final String FORM = "c2sp.org/tlog-proof@v1";
    private static final String EXTRA = "extra ";

    public InclusionProof {
        if (path.size() != checkpoint.seq()) {
            throw new IllegalArgumentException(
                    "path: for " + path.size() + " lines (expected: the checkpoint's " + checkpoint.seq() + ")");
        }
    }

    /// A proof that carries its line.
    ///
    /// @param line without its line end
    public static InclusionProof of(InclusionPath path, byte[] line, Checkpoint checkpoint) {
        return new InclusionProof(path, Optional.of(Base64.getEncoder().encodeToString(line)), checkpoint);
    }

    /// Reads a proof.
    ///
    /// @throws NoteSyntaxException if the bytes are not exactly one proof
    public static InclusionProof parse(byte[] bytes) throws NoteSyntaxException {
        var text = ProofText.parse(bytes);
        if (!text.lines().getFirst().equals(FORM)) {
            throw new NoteSyntaxException("does not start with " + FORM);
        }
        var extra = extra(text);
        int at = extra.isPresent() ? 2 : 1;
        long index = text.number(at, "index");
        if (index >= text.checkpoint().seq()) {
            throw new NoteSyntaxException("is about a line behind its checkpoint");
        }
        var path = new InclusionPath(index, text.checkpoint().seq(), text.hashes(at + 1));
        return new InclusionProof(path, extra, text.checkpoint());
    }

    private static Optional<String> extra(ProofText text) throws NoteSyntaxException {
        if (text.lines().size() < 2 || !text.lines().get(1).startsWith(EXTRA)) {
            return Optional.empty();
        }
        var base64 = text.lines().get(1).substring(EXTRA.length());
        try {
            if (Base64.getEncoder()
                    .encodeToString(Base64.getDecoder().decode(base64))
                    .equals(base64)) {
                return Optional.of(base64);
            }
        } catch (IllegalArgumentException _) {
            // falls through to the one refusal
        }
        throw new NoteSyntaxException("has an extra line that is not base64");
    }

    /// The line's number, from 1.
    public long seq() {
        return path.index() + 1;
    }

    /// The line's bytes as the proof tells them, without line end.
    public Optional<byte[]> line() {
        return extra.map(Base64.getDecoder()::decode);
    }

    /// Is `line` the line with this number of the log that the checkpoint is about?
    ///
    /// @param line without its line end
    public boolean includes(byte[] line) {
        return path.root(TreeHash.leaf(line))
                .filter(checkpoint.tree().root()::equals)
                .isPresent();
    }

    /// This without the line: for somebody who has it, and may not see it in the proof.
    public InclusionProof bare() {
        return new InclusionProof(path, Optional.empty(), checkpoint);
    }

    public byte[] bytes() {
        var first = new ArrayList<>(List.of(FORM));
        extra.ifPresent(base64 -> first.add(EXTRA + base64));
        first.add("index " + path.index());
        return ProofText.write(first, path.hashes(), checkpoint);
    }
}
