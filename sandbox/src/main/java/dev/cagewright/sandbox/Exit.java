package dev.cagewright.sandbox;

import java.time.Duration;

/// How one program ended.
///
/// @param status 0 to 255; 128+n for death by signal n, 126 or 127 when it could not be executed
/// @param detail one sentence for people, empty for an ordinary end
public record Exit(int status, Cause cause, String detail, Usage usage, Output output) {
    /// Why it ended.
    public enum Cause {
        /// It returned.
        EXITED,
        /// A signal from inside the cage or from [Run#signal].
        SIGNALLED,
        /// The kernel did not execute it.
        NOT_STARTED,
        /// Its wall time was over.
        TIMEOUT,
        /// The cage used more memory than its limit.
        MEMORY,
        /// It wrote more than its limit and the caller asked for its end.
        OUTPUT,
        /// It wrote more bytes to a session's copies than their limit.
        DISK,
        /// It made more files in a session's copies than their limit.
        FILES,
        /// The host had put another file in the place of a protected one, and the protection could not be kept up.
        UNCOVERED,
        /// Somebody killed the cage, or the cage died.
        KILLED,
        /// Whoever asked for it took that back, or went away.
        CANCELLED
    }

    /// The same end for another reason, which somebody outside of the cage knows.
    ///
    /// @param why one sentence for people
    public Exit because(Cause known, String why) {
        return new Exit(status, known, why, usage, output);
    }

    /// What it and its waited-for children used.
    ///
    /// @param maxResidentBytes of the largest process
    /// @param wall from start to end
    public record Usage(Duration user, Duration system, long maxResidentBytes, Duration wall) {}

    /// What it wrote, all of it, kept or not. For a terminal everything counts as `out`.
    ///
    /// @param outTruncated whether some of it did not reach the caller's stream
    public record Output(long outBytes, long errBytes, boolean outTruncated, boolean errTruncated) {
        public boolean truncated() {
            return outTruncated || errTruncated;
        }
    }
}
