package dev.cagewright.supervisor.changes;

import dev.cagewright.sandbox.files.RelativePath;

/// One path at which the copy and the host's directory differ. A renamed file is deleted here and added there; a file
/// that became a directory, or the other way round, is deleted and added at the same path.
public sealed interface Change {
    /// Below the workspace, or below the mount that was copied.
    RelativePath path();

    /// The host has nothing there.
    record Added(RelativePath path, Node after) implements Change {}

    /// The copy has nothing there. Every object of a deleted directory has one of its own.
    record Deleted(RelativePath path, Node before) implements Change {}

    /// Other bytes, another text of a link, or a link in the place of a file; the mode may differ too.
    record Modified(RelativePath path, Node before, Node after) implements Change {}

    /// The same bytes with other permissions.
    record ModeChanged(RelativePath path, Node before, Node after) implements Change {}
}
