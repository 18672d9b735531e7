package dev.cagewright.supervisor.changes;

import dev.cagewright.policy.action.ByteString;

/// One object of a tree as far as changes are concerned: its times and its owner are not.
public sealed interface Node {

    /// A regular file.
    ///
    /// @param mode the twelve lower bits
    /// @param size bytes
    /// @param sha256 of its bytes, 64 hexadecimal digits; empty for a file of more than [ChangeSet#DIGEST_LIMIT]
    record File(int mode, long size, String sha256) implements Node {}

    /// A symbolic link with its text.
    record Link(ByteString text) implements Node {}

    /// A directory.
    ///
    /// @param mode the twelve lower bits
    record Folder(int mode) implements Node {}

    /// Something that acts when it is opened.
    ///
    /// @param word `fifo`, `socket` or `device`
    record Special(String word) implements Node {}
}
