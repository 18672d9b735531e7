package dev.cagewright.supervisor.changes.merge;

import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.changes.Change;
import dev.cagewright.supervisor.changes.CopyTrees;
import dev.cagewright.supervisor.changes.Difference;
import dev.cagewright.supervisor.changes.Node;
import dev.cagewright.supervisor.changes.diff.Patch;
import dev.cagewright.supervisor.copy.Bases;
import dev.cagewright.supervisor.copy.SessionCopy;
import java.io.IOException;
import java.util.Optional;

/// What comes of a file that both the host and the workload changed.
public sealed interface Reconciliation {
    /// Both changes are in the text; nothing of either is lost.
    record Fits(ThreeWay text) implements Reconciliation {}

    /// They changed the same lines.
    record Clashes(ThreeWay text) implements Reconciliation {}

    /// Only a person can say.
    ///
    /// @param why a clause
    record Open(String why) implements Reconciliation {}

    /// Looks at one difference; empty if the host did not change it.
    static Optional<Reconciliation> of(SessionCopy copy, CopyTrees trees, Difference difference) throws IOException {
        if (difference.conflict().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                switch (difference.change()) {
                    case Change.Modified(var path, Node.File _, Node.File _) -> ofFiles(copy, trees, path);
                    case Change.Deleted _ -> new Open("the cage deleted it");
                    case Change.Added _ -> new Open("only the cage has it now");
                    case Change.ModeChanged _ -> new Open("only permissions differ");
                    case Change.Modified _ -> new Open("not both are files");
                });
    }

    private static Reconciliation ofFiles(SessionCopy copy, CopyTrees trees, RelativePath path) throws IOException {
        var base = new Bases(copy).of(path);
        if (base.isEmpty()) {
            return new Open("what it was before the run is not known: it was new, or too large to be kept, or the host"
                    + " changed it before the cage did");
        }
        var host = trees.hostBytes(path, Patch.TEXT_LIMIT + 1);
        var cage = trees.upperBytes(path, Patch.TEXT_LIMIT + 1);
        if (host.isEmpty() || cage.isEmpty()) {
            return new Open("not both are files any more");
        }
        if (!Patch.isText(base.get()) || !Patch.isText(host.get()) || !Patch.isText(cage.get())) {
            return new Open("not text, or more than " + Patch.TEXT_LIMIT + " bytes");
        }
        var text = ThreeWay.of(base.get(), host.get(), cage.get());
        return text.isClean() ? new Fits(text) : new Clashes(text);
    }
}
