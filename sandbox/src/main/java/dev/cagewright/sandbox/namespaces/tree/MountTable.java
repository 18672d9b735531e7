package dev.cagewright.sandbox.namespaces.tree;

import dev.cagewright.policy.action.ByteString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Mounts as a process has them, proc_pid_mountinfo(5): one line each, with a number that is given out once
/// while the mount lives, the object it shows, where, and how. Two equal tables are the same mounts.
///
/// @param text one char a byte; empty when the process is gone
public record MountTable(String text) {
    private static final int POINT = 4;

    /// The mounts of a process.
    ///
    /// @param process its number, or `self`
    public static MountTable of(String process) {
        try {
            return new MountTable(
                    Files.readString(Path.of("/proc", process, "mountinfo"), StandardCharsets.ISO_8859_1));
        } catch (IOException _) {
            return new MountTable("");
        }
    }

    /// Those that a tree's sources lie on or that lie on them.
    public List<String> around(List<Entry> tree) {
        var sources = tree.stream()
                .filter(Entry::isOfTheHost)
                .map(entry -> escaped(entry.source()))
                .toList();
        return text.lines()
                .filter(line -> {
                    var fields = line.split(" ", POINT + 2);
                    return fields.length > POINT && sources.stream().anyMatch(path -> overlap(path, fields[POINT]));
                })
                .toList();
    }

    private static boolean overlap(String one, String other) {
        return isWithin(one, other) || isWithin(other, one);
    }

    private static boolean isWithin(String path, String tree) {
        return path.equals(tree) || path.startsWith(tree.equals("/") ? "/" : tree + "/");
    }

    /// As the kernel writes a path there.
    private static String escaped(ByteString path) {
        return path.latin1()
                .replace("\\", "\\134")
                .replace(" ", "\\040")
                .replace("\t", "\\011")
                .replace("\n", "\\012");
    }
}
