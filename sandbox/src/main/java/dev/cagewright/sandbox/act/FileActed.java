package dev.cagewright.sandbox.act;

import dev.cagewright.policy.action.ByteString;

/// What came of a [FileAct].
public sealed interface FileActed {
    /// The part that was asked for.
    ///
    /// @param size of the whole file when it was opened, bytes
    record Read(ByteString content, long size) implements FileActed {}

    /// It is on the disk.
    ///
    /// @param size of the file now, bytes
    record Written(Was was, long size) implements FileActed {}

    /// What there was before.
    enum Was {
        NOTHING,
        FILE
    }

    /// The kernel refused, or it is no regular file; nothing was done, but that directories may have been made.
    ///
    /// @param reason the kernel's words
    /// @param path of what was refused, as the cage has it: the file, or a directory on the way to it
    /// @param link where a link leads that stands there; empty if it is none
    record Refused(int errno, String reason, ByteString path, ByteString link) implements FileActed {}
}
