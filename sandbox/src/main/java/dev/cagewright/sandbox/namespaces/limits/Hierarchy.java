package dev.cagewright.sandbox.namespaces.limits;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// One mounted tree of control groups and this process's place in it.
///
/// @param controllers empty for version 2
/// @param own the directory of this process's group
record Hierarchy(Version version, Set<String> controllers, Path own) {
    enum Version {
        V1,
        V2
    }

    /// Those of this machine, cgroups(7): version 1, version 2, or both.
    static List<Hierarchy> ofThisProcess() throws IOException {
        return parse(
                Files.readAllLines(Path.of("/proc/self/cgroup")), Files.readAllLines(Path.of("/proc/self/mountinfo")));
    }

    static List<Hierarchy> parse(List<String> memberships, List<String> mounts) {
        var found = new ArrayList<Hierarchy>();
        for (var line : memberships) {
            var fields = line.split(":", 3);
            if (fields.length == 3 && !fields[1].startsWith("name=")) {
                var version = fields[1].isEmpty() ? Version.V2 : Version.V1;
                var controllers = version == Version.V2 ? Set.<String>of() : Set.of(fields[1].split(",", -1));
                mountOf(version, controllers, mounts)
                        .flatMap(mount -> mount.directory(fields[2]))
                        .ifPresent(own -> found.add(new Hierarchy(version, controllers, own)));
            }
        }
        return List.copyOf(found);
    }

    private static Optional<GroupMount> mountOf(Version version, Set<String> controllers, List<String> mounts) {
        return mounts.stream()
                .map(GroupMount::parse)
                .flatMap(Optional::stream)
                .filter(mount -> mount.version() == version && mount.options().containsAll(controllers))
                .findFirst();
    }

    /// A line of `/proc/self/mountinfo`, proc_pid_mountinfo(5).
    private record GroupMount(Version version, Set<String> options, String root, Path point) {
        static Optional<GroupMount> parse(String line) {
            var halves = line.split(" - ", 2);
            if (halves.length < 2) {
                return Optional.empty();
            }
            var place = halves[0].split(" ", -1);
            var type = halves[1].split(" ", 3);
            if (place.length < 5 || type.length < 3 || !type[0].startsWith("cgroup")) {
                return Optional.empty();
            }
            var version = type[0].equals("cgroup2") ? Version.V2 : Version.V1;
            return Optional.of(new GroupMount(version, Set.of(distinct(type[2])), place[3], Path.of(place[4])));
        }

        private static String[] distinct(String options) {
            return Set.copyOf(List.of(options.split(",", -1))).toArray(String[]::new);
        }

        /// Where the group `path` is below this mount; empty when it is outside of what is mounted.
        Optional<Path> directory(String path) {
            if (root.equals("/")) {
                return Optional.of(point.resolve("." + path).normalize());
            }
            return path.equals(root) || path.startsWith(root + "/")
                    ? Optional.of(
                            point.resolve("." + path.substring(root.length())).normalize())
                    : Optional.empty();
        }
    }
}
