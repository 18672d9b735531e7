package dev.cagewright.sandbox.programs;

import dev.cagewright.policy.action.ByteString;
import java.nio.file.Path;
import java.util.List;

/// The file a program's name means.
///
/// @param asked the name as given
/// @param named where it was found, before links were followed; what the workload is started with
/// @param target the file itself: absolute, without links, a regular file that may be executed
/// @param links the links on the way from `named` to `target`, in the order they were followed
/// @param place whether the workload could change the file
public record ResolvedProgram(ByteString asked, Path named, Path target, List<Path> links, Place place) {

    /// Who can change the file.
    public enum Place {
        /// In a tree that the cage sees read-only.
        SYSTEM,
        /// In a tree that the workload may write, so what it does can change while the cage runs.
        WRITABLE
    }

    public ResolvedProgram {
        links = List.copyOf(links);
    }

    /// The last name of the file itself, e.g. `python3.11` for `python3`.
    public String targetName() {
        return String.valueOf(target.getFileName());
    }
}
