package dev.cagewright.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What this process has, at one moment, of everything that a cage takes and has to give back.
record Leftovers(Map<String, Integer> counts) {
    private static final List<String> NAMESPACES = List.of("user", "mnt", "pid", "net", "ipc", "uts", "cgroup");

    static Leftovers now() throws IOException {
        var counts = new TreeMap<String, Integer>();
        counts.put("processes", (int) ProcessHandle.current().descendants().count());
        counts.put("descriptors", entries(Path.of("/proc/self/fd")));
        counts.put(
                "mounts",
                Files.readAllLines(Path.of("/proc/self/mountinfo"), StandardCharsets.ISO_8859_1)
                        .size());
        counts.put("namespaces", namespaces());
        counts.put("control groups", OwnGroups.now().size());
        counts.put("temporary files", temporary());
        return new Leftovers(counts);
    }

    private static int entries(Path folder) {
        var names = folder.toFile().list();
        return names == null ? 0 : names.length;
    }

    /// Those that any process below this one is in; the kernel has no list of all.
    private static int namespaces() {
        return (int) ProcessHandle.current()
                .descendants()
                .flatMap(process -> NAMESPACES.stream().flatMap(kind -> link(process.pid(), kind)))
                .distinct()
                .count();
    }

    private static Stream<String> link(long pid, String kind) {
        try {
            return Stream.of(Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "ns", kind))
                    .toString());
        } catch (IOException _) {
            return Stream.empty();
        }
    }

    private static int temporary() {
        var names =
                Path.of(System.getProperty("java.io.tmpdir")).toFile().list((_, name) -> name.startsWith("cagewright"));
        return names == null ? 0 : names.length;
    }

    /// What there is more of than before, in words; empty when nothing is.
    List<String> moreThan(Leftovers before) {
        var more = new ArrayList<String>();
        counts.forEach((what, count) -> {
            int then = before.counts().getOrDefault(what, 0);
            if (count > then) {
                more.add(what + ": " + count + " (expected: at most " + then + ")");
            }
        });
        return more;
    }
}
