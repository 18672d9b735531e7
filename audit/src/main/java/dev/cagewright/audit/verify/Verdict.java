package dev.cagewright.audit.verify;

import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.checkpoint.LogState;
import dev.cagewright.audit.key.SigningKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What a log turned out to be.
public sealed interface Verdict {
    /// Every line is what was written and where it was written, up to the newest verified checkpoint for certain;
    /// the lines behind it are only consistent with themselves.
    ///
    /// @param state the log's id, its lines and the last line's hash
    /// @param anchored up to which line a signature by the pinned key reaches, 0 if there is none
    /// @param notes the rest
    record Intact(LogState state, long anchored, Notes notes) implements Verdict {
        /// The log's id, 32 hexadecimal digits.
        public String log() {
            return state.log();
        }

        /// How many lines there are.
        public long count() {
            return state.tree().size();
        }

        /// The last line's hash, 64 hexadecimal digits.
        public String head() {
            return state.head();
        }

        /// How many lines no signature reaches: whoever can write the file could have changed them.
        public long unanchored() {
            return count() - anchored;
        }

        /// Signs that this log had come so far.
        public Checkpoint sign(SigningKey key, Instant now) {
            return Checkpoint.sign(key, state, now);
        }
    }

    /// What is worth knowing about a log that is intact.
    ///
    /// @param checkpoints how many checkpoints were verified with the pinned key
    /// @param interrupted decisions that were allowed, but have no outcome, oldest first
    /// @param panic why the log was frozen, if it was
    /// @param sealing what its seals say
    record Notes(int checkpoints, List<String> interrupted, Optional<String> panic, Sealing sealing) {
        public Notes {
            interrupted = List.copyOf(interrupted);
        }
    }

    /// Something was changed, or never was a log.
    ///
    /// @param line the first line that is wrong, from 1; 0 if it is not about a line
    /// @param offset of that line's first byte in the file, from 0
    /// @param reason one sentence without a full stop
    record Broken(long line, long offset, String reason) implements Verdict {}
}
