package dev.cagewright.supervisor.changes;

import dev.cagewright.sandbox.files.HostEntry;
import dev.cagewright.sandbox.files.RelativePath;
import java.util.Optional;

/// A change, and how the host stands to it.
///
/// @param host what the host had there when the two were compared
/// @param conflict why bringing the change over would undo something of the host's own; empty if it would not
public record Difference(Change change, Optional<HostEntry> host, Optional<String> conflict)
        implements Comparable<Difference> {
    public RelativePath path() {
        return change.path();
    }

    /// By path; what goes comes before what comes.
    @Override
    public int compareTo(Difference other) {
        int byPath = path().compareTo(other.path());
        return byPath != 0 ? byPath : Boolean.compare(other.isDeletion(), isDeletion());
    }

    private boolean isDeletion() {
        return change instanceof Change.Deleted;
    }
}
