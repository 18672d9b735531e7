package dev.cagewright.audit.verify;

import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.event.LogLine;
import java.util.List;

/// What a proof turned out to show.
public sealed interface ProofVerdict {
    /// This line is in the log that the checkpoint is about.
    ///
    /// @param line with the number that the proof is about
    /// @param checkpoint signed by whom is trusted
    /// @param witnesses the names of the trusted witnesses that cosigned it
    record Included(LogLine line, Checkpoint checkpoint, List<String> witnesses) implements ProofVerdict {
        public Included {
            witnesses = List.copyOf(witnesses);
        }
    }

    /// The log of the older checkpoint is the beginning of the newer one's. Both are signed by whom is trusted.
    record Grown(Checkpoint old, Checkpoint checkpoint) implements ProofVerdict {}

    /// It shows nothing.
    ///
    /// @param reason one sentence without a full stop
    record Refused(String reason) implements ProofVerdict {}
}
