package dev.cagewright.audit.verify;

import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.note.NoteKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Whose signatures count.
///
/// @param key the log's; empty if signatures are not checked
/// @param witnesses keys of type [NoteKey.Algorithm#COSIGNATURE], each of another witness
/// @param quorum how many of them must have cosigned a checkpoint before it counts, from 0
public record Trust(Optional<PinnedKey> key, List<NoteKey> witnesses, int quorum) {
    /// Nobody's: checkpoints are compared, their signatures are not checked.
    public static final Trust NOBODY = new Trust(Optional.empty(), List.of(), 0);

    public Trust {
        witnesses = List.copyOf(witnesses);
        if (quorum < 0 || quorum > witnesses.size()) {
            throw new IllegalArgumentException(
                    "quorum: " + quorum + " (expected: 0 to the " + witnesses.size() + " witnesses that are named)");
        }
        for (var witness : witnesses) {
            if (witness.type() != NoteKey.Algorithm.COSIGNATURE) {
                throw new IllegalArgumentException(
                        "witness " + witness.name() + ": a key of another type (expected: 4, a cosignature's)");
            }
        }
        if (witnesses.stream().map(witness -> witness.key().hex()).distinct().count() < witnesses.size()) {
            throw new IllegalArgumentException("witnesses: one key twice (expected: one key for each)");
        }
    }

    /// Only what is signed with `pinned` counts.
    public Trust pinned(PinnedKey pinned) {
        return new Trust(Optional.of(pinned), witnesses, quorum);
    }

    /// Also asks for cosignatures.
    public Trust witnessed(List<NoteKey> by, int atLeast) {
        return new Trust(key, by, atLeast);
    }

    /// What is wrong with the signatures of `checkpoint`, as the end of a sentence that starts with it; empty if
    /// nothing.
    public Optional<String> objection(Checkpoint checkpoint) {
        if (key.isPresent() && !checkpoint.signedBy(key.get())) {
            return Optional.of("is not signed with the pinned key");
        }
        var note = checkpoint.note();
        for (var witness : witnesses) {
            if (witness.findOn(note) == NoteKey.Finding.FORGED) {
                return Optional.of("carries a wrong signature of the witness " + witness.name());
            }
        }
        return Optional.empty();
    }

    /// Does what `checkpoint` says count, its log being right?
    public boolean counts(Checkpoint checkpoint) {
        return key.isPresent()
                && objection(checkpoint).isEmpty()
                && witnessesOf(checkpoint).size() >= quorum;
    }

    /// The names of the witnesses that cosigned.
    public List<String> witnessesOf(Checkpoint checkpoint) {
        var names = new ArrayList<String>();
        for (var witness : witnesses) {
            if (witness.findOn(checkpoint.note()) == NoteKey.Finding.SIGNED) {
                names.add(witness.name());
            }
        }
        return names;
    }
}
