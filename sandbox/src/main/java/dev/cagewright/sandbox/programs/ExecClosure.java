package dev.cagewright.sandbox.programs;

import dev.cagewright.policy.action.ByteString;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/// The files that must be executable so that the programs of an allowlist can start, and no others. The
/// package's chapter says what limiting execution to them does not give.
///
/// @param paths sorted by path, each once; never a directory of the workload
/// @param warnings what a reader of the policy should know, each one sentence
/// @param missing allowed names that mean no file on this host, each with the reason
public record ExecClosure(List<ExecPath> paths, List<String> warnings, List<String> missing) {

    /// One file, or one directory with everything below it.
    ///
    /// @param path absolute, without links, as the cage sees it and as the host does
    /// @param why plain text: for which program, and what for
    public record ExecPath(Path path, Extent extent, String why) {}

    /// How far an execute right goes.
    public enum Extent {
        FILE,
        TREE
    }

    public ExecClosure {
        paths = List.copyOf(paths);
        warnings = List.copyOf(warnings);
        missing = List.copyOf(missing);
    }

    /// The closure of `allowlist`: bare names or absolute paths, as in the policy's `exec.allowlist`. A bare
    /// name also stands for its versioned spellings on the search path: `python3` for `python3.11`.
    public static ExecClosure of(Collection<String> allowlist, Programs programs) {
        var walk = new ClosureWalk(programs);
        for (String name : allowlist) {
            walk.allow(ByteString.of(name));
        }
        return walk.closure();
    }

    /// Just the paths, in order.
    public List<Path> hostPaths() {
        return paths.stream().map(ExecPath::path).toList();
    }
}
