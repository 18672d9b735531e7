package dev.cagewright.supervisor.changes.apply;

import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.changes.Difference;
import java.util.Optional;

/// One change of a plan.
///
/// @param refusal why it will not be brought over; empty if it will
public record Step(Difference difference, Optional<Refusal> refusal) {
    /// Why not.
    ///
    /// @param sentence without the path
    public record Refusal(Kind kind, String sentence) {}

    /// What stands in the way.
    public enum Kind {
        /// The host has changes of its own there; `--force PATH` overwrites them.
        CONFLICT,
        /// It may not be written.
        PROTECTED,
        /// It is of a kind that is never brought over.
        UNSAFE,
        /// The file system refused.
        FAILED
    }

    static Step of(Difference difference) {
        return new Step(difference, Optional.empty());
    }

    Step refused(Kind kind, String sentence) {
        return new Step(difference, Optional.of(new Refusal(kind, sentence)));
    }

    public RelativePath path() {
        return difference.path();
    }

    public boolean isRefused() {
        return refusal.isPresent();
    }
}
