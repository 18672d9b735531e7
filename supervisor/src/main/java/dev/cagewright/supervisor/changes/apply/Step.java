package dev.cagewright.supervisor.changes.apply;

import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.changes.Change;
import dev.cagewright.supervisor.changes.Difference;
import dev.cagewright.supervisor.changes.Node;
import java.util.Optional;

/// One change of a plan.
///
/// @param difference of merged content with what the merge comes to
/// @param refusal why it will not be brought over; empty if it will
public record Step(Difference difference, Optional<Refusal> refusal, Content content) {
    /// What is brought over.
    public enum Content {
        /// What the copy has.
        OF_COPY,
        /// The host's changes and the copy's.
        MERGED
    }

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
        return new Step(difference, Optional.empty(), Content.OF_COPY);
    }

    Step refused(Kind kind, String sentence) {
        return new Step(difference, Optional.of(new Refusal(kind, sentence)), content);
    }

    /// The same with both changes in one file, of which `after` is what the host will have.
    Step merged(Node.File after) {
        if (!(difference.change() instanceof Change.Modified(var path, var before, var _))) {
            throw new IllegalStateException("merge: " + path() + " (expected: a changed file)");
        }
        var both = new Difference(new Change.Modified(path, before, after), difference.host(), Optional.empty());
        return new Step(both, Optional.empty(), Content.MERGED);
    }

    public RelativePath path() {
        return difference.path();
    }

    public boolean isRefused() {
        return refusal.isPresent();
    }
}
