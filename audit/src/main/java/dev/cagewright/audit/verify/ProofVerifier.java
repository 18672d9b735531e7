package dev.cagewright.audit.verify;

import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.event.LineFormat;
import dev.cagewright.audit.event.LineSyntaxException;
import dev.cagewright.audit.note.NoteSyntaxException;
import dev.cagewright.audit.proof.ConsistencyProof;
import dev.cagewright.audit.proof.InclusionProof;
import java.util.Optional;

/// Checks proofs for somebody who has no log, only keys. Immutable.
///
/// @param trust whose signatures a proof's checkpoint must carry; with a key
public record ProofVerifier(Trust trust) {
    public ProofVerifier {
        if (trust.key().isEmpty()) {
            throw new IllegalArgumentException("key: none (expected: the public key of the log)");
        }
    }

    /// Checks that a line is in a log.
    ///
    /// @param proof the bytes of an [InclusionProof]
    /// @param known the line without its line end, if the caller has it; else the proof must carry it
    public ProofVerdict inclusion(byte[] proof, Optional<byte[]> known) {
        try {
            var parsed = InclusionProof.parse(proof);
            var objection = objection(parsed.checkpoint(), "the proof's checkpoint");
            if (objection.isPresent()) {
                return new ProofVerdict.Refused(objection.get());
            }
            var line = known.or(parsed::line);
            if (line.isEmpty()) {
                return new ProofVerdict.Refused("the proof does not carry its line, and none was given");
            }
            return included(parsed, line.get());
        } catch (NoteSyntaxException e) {
            return new ProofVerdict.Refused("the proof " + e.getMessage());
        }
    }

    private ProofVerdict included(InclusionProof proof, byte[] line) {
        if (!proof.includes(line)) {
            return new ProofVerdict.Refused(
                    "the line is not line " + proof.seq() + " of the log that the checkpoint is about");
        }
        try {
            var parsed = LineFormat.parse(line);
            if (parsed.seq() == proof.seq()) {
                return new ProofVerdict.Included(parsed, proof.checkpoint(), trust.witnessesOf(proof.checkpoint()));
            }
            return new ProofVerdict.Refused("line " + proof.seq() + " of the log calls itself line " + parsed.seq());
        } catch (LineSyntaxException e) {
            return new ProofVerdict.Refused("line " + proof.seq() + " of the log cannot be read: " + e.getMessage());
        }
    }

    /// Checks that a log only grew.
    ///
    /// @param proof the bytes of a [ConsistencyProof]
    /// @param old the older checkpoint
    public ProofVerdict consistency(byte[] proof, Checkpoint old) {
        try {
            var parsed = ConsistencyProof.parse(proof);
            var objection = objection(old, "the older checkpoint")
                    .or(() -> objection(parsed.checkpoint(), "the proof's checkpoint"));
            if (objection.isPresent()) {
                return new ProofVerdict.Refused(objection.get());
            }
            if (!old.log().equals(parsed.checkpoint().log())) {
                return new ProofVerdict.Refused("the older checkpoint is about another log");
            }
            if (!parsed.follows(old)) {
                return new ProofVerdict.Refused("the log does not begin with the " + old.seq()
                        + " lines that the older checkpoint was signed for");
            }
            return new ProofVerdict.Grown(old, parsed.checkpoint());
        } catch (NoteSyntaxException e) {
            return new ProofVerdict.Refused("the proof " + e.getMessage());
        }
    }

    /// Does it look like a proof that a log only grew?
    public static boolean isConsistency(byte[] proof) {
        return proof.length > 4 && proof[0] == 'o' && proof[1] == 'l' && proof[2] == 'd' && proof[3] == ' ';
    }

    private Optional<String> objection(Checkpoint checkpoint, String name) {
        var wrong = trust.objection(checkpoint).map(end -> name + " " + end);
        if (wrong.isPresent() || trust.counts(checkpoint)) {
            return wrong;
        }
        return Optional.of(name + " carries the cosignatures of "
                + trust.witnessesOf(checkpoint).size() + " of the named witnesses, not of " + trust.quorum());
    }
}
