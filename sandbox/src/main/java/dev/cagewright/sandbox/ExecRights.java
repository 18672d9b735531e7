package dev.cagewright.sandbox;

import dev.cagewright.policy.action.ByteString;
import java.util.List;

/// Which files the kernel will execute in a cage, for every process in it, by Landlock.
public sealed interface ExecRights {
    /// Whatever the cage can read.
    record Everything() implements ExecRights {}

    /// Only these and what lies below them. A path that does not exist grants nothing.
    ///
    /// @param paths absolute paths as seen in the cage, of binaries, loaders and trees, not empty
    record Only(List<ByteString> paths) implements ExecRights {
        public Only {
            paths = List.copyOf(paths);
            if (paths.isEmpty()) {
                throw new IllegalArgumentException("exec paths: [] (expected: at least one)");
            }
            for (var path : paths) {
                if (path.size() == 0 || path.at(0) != '/' || path.contains((byte) 0)) {
                    throw new IllegalArgumentException("exec path: " + path + " (expected: absolute, no NUL)");
                }
            }
        }
    }
}
