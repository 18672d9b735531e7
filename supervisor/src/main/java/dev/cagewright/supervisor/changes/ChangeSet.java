package dev.cagewright.supervisor.changes;

import dev.cagewright.supervisor.copy.SessionCopy;
import java.io.IOException;
import java.util.List;

/// Everything in which a session's copy differs from the host's directory. A file that was opened for writing, touched
/// or written with the same bytes is none of it.
///
/// @param differences sorted by path, at most [#LIMIT]
/// @param missed what could not be looked at, each one sentence that is safe on a terminal; empty if everything was
public record ChangeSet(SessionCopy copy, List<Difference> differences, List<String> missed) {
    /// So many changes are held at most.
    public static final int LIMIT = 200_000;

    /// Larger files are compared by size alone and have no digest, bytes.
    public static final long DIGEST_LIMIT = 16L << 30;

    public ChangeSet {
        differences = List.copyOf(differences);
        missed = List.copyOf(missed);
    }

    /// Looks through `copy`. Changes nothing but, for a moment, the permissions of what the copy's owner may not read.
    ///
    /// @throws IOException if one of the two directories cannot be opened, or the host's is another one than it was
    public static ChangeSet of(SessionCopy copy) throws IOException {
        try (var trees = CopyTrees.open(copy)) {
            return new CopyWalk(copy, trees).run();
        }
    }

    public List<Change> changes() {
        return differences.stream().map(Difference::change).toList();
    }

    /// False if something was missed, so that there may be more.
    public boolean isComplete() {
        return missed.isEmpty();
    }
}
