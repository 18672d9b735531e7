package dev.cagewright.sandbox.act;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;

/// What is done to one file of a cage. Its path is walked name by name, and a link anywhere in it ends the walk.
public sealed interface FileAct {
    /// Where the cage has the file, which is not always where its policy does.
    GuestPath path();

    /// The same to the file at `other`.
    default FileAct at(GuestPath other) {
        return switch (this) {
            case Read read -> new Read(other, read.from(), read.most());
            case Write write -> new Write(other, write.mode(), write.parents(), write.content());
        };
    }

    /// Reading a part of it.
    ///
    /// @param from the first byte, 0 or more
    /// @param most how many bytes, 0 or more
    record Read(GuestPath path, long from, long most) implements FileAct {
        public Read {
            if (from < 0 || most < 0) {
                throw new IllegalArgumentException("from " + from + ", most " + most + " (expected: 0 or more)");
            }
        }
    }

    /// Giving it new content. One that is replaced is whole at any moment, the old or the new one; one that is a mount
    /// of its own, or whose directory takes no new names, is written where it is.
    ///
    /// @param content all of what is written
    record Write(GuestPath path, Mode mode, Parents parents, ByteString content) implements FileAct {}

    /// What a write does about a file that is there.
    enum Mode {
        /// It is left as it is, and the write is refused.
        CREATE,
        /// It is replaced, and keeps its permissions.
        REPLACE,
        /// It goes on behind its end.
        APPEND
    }

    /// What a write does about directories that are not there.
    enum Parents {
        REQUIRED,
        MADE
    }
}
