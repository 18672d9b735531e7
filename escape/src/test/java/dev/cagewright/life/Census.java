package dev.cagewright.life;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

/// What a supervisor and the kernel hold at one moment.
///
/// @param processes below the supervisor
/// @param descriptors of the supervisor
/// @param namespaces of networks, below the supervisor
/// @param mounts that the host sees
/// @param groups control groups that the supervisor made
record Census(int processes, int descriptors, int namespaces, int mounts, int groups) {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");

    private static final int DEEPEST = 16;

    /// @param supervisor its process
    static Census of(ProcessHandle supervisor) throws IOException {
        var below = supervisor.descendants().toList();
        return new Census(
                below.size(),
                entries(Path.of("/proc", Long.toString(supervisor.pid()), "fd")),
                networks(below),
                Files.readAllLines(Path.of("/proc/self/mountinfo")).size(),
                groups(supervisor));
    }

    private static int entries(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return (int) all.count();
        }
    }

    private static int networks(List<ProcessHandle> processes) {
        var seen = new HashSet<String>();
        for (ProcessHandle process : processes) {
            try {
                seen.add(Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "ns/net"))
                        .toString());
            } catch (IOException _) {
                // it has ended, or may not be looked at
            }
        }
        return seen.size();
    }

    /// Below the supervisor's own.
    private static int groups(ProcessHandle supervisor) throws IOException {
        var own = Files.readAllLines(Path.of("/proc", Long.toString(supervisor.pid()), "cgroup")).stream()
                .filter(line -> line.startsWith("0::"))
                .map(line -> GROUPS.resolve(line.substring("0::/".length())))
                .findFirst();
        if (own.isEmpty() || !Files.isDirectory(own.get())) {
            return 0;
        }
        return count(own.get(), "cagewright-" + supervisor.pid() + "-", DEEPEST);
    }

    /// Folders whose name begins so. Groups of others come and go while it looks.
    private static int count(Path folder, String prefix, int depth) {
        if (depth == 0) {
            return 0;
        }
        int found = 0;
        try (var children = Files.newDirectoryStream(folder, Files::isDirectory)) {
            for (Path child : children) {
                found += String.valueOf(child.getFileName()).startsWith(prefix) ? 1 : 0;
                found += count(child, prefix, depth - 1);
            }
        } catch (IOException | DirectoryIteratorException _) {
            return found;
        }
        return found;
    }
}
