package dev.cagewright.sandbox.namespaces.limits;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// Where this process may make control groups for its cages. Groups are made below its own, so every limit
/// that holds for the supervisor holds for its cages too.
public final class ControlGroups implements AutoCloseable {
    private static final String PREFIX = "cagewright-";
    private static final List<String> WANTED = List.of("memory", "pids", "cpu", "freezer");

    /// Of this process, so that two runtimes in it do not take each other's names.
    private static final AtomicLong NEXT = new AtomicLong();

    private final List<Hierarchy> hierarchies;
    private final GroupRemoval removal = new GroupRemoval();

    private ControlGroups(List<Hierarchy> hierarchies) {
        this.hierarchies = List.copyOf(hierarchies);
    }

    /// Looks at the machine, and sweeps away what supervisors that died have left.
    public static ControlGroups find() {
        var useful = new ArrayList<Hierarchy>();
        try {
            for (var hierarchy : Hierarchy.ofThisProcess()) {
                if (isUseful(hierarchy)) {
                    sweep(hierarchy.own());
                    useful.add(hierarchy);
                }
            }
        } catch (IOException _) {
            return new ControlGroups(List.of()); // no control groups here
        }
        return new ControlGroups(useful);
    }

    private static boolean isUseful(Hierarchy hierarchy) {
        return Files.isWritable(hierarchy.own())
                && (hierarchy.version() == Hierarchy.Version.V2
                        || WANTED.stream().anyMatch(hierarchy.controllers()::contains));
    }

    private static void sweep(Path own) throws IOException {
        try (DirectoryStream<Path> groups = Files.newDirectoryStream(own, PREFIX + "*")) {
            for (var group : groups) {
                var owner = group.getFileName().toString().split("-", -1)[1];
                if (!Files.exists(Path.of("/proc", owner))) {
                    GroupRemoval.remove(group);
                }
            }
        }
    }

    /// Makes the groups of one cage, without limits yet. What cannot be had is left out.
    public CageGroups create() {
        var name = PREFIX + ProcessHandle.current().pid() + "-" + NEXT.incrementAndGet();
        var groups = new CageGroups(removal);
        for (var hierarchy : hierarchies) {
            groups.add(hierarchy, hierarchy.own().resolve(name));
        }
        return groups;
    }

    /// Waits until every group of a closed cage is gone.
    @Override
    public void close() {
        removal.close();
    }
}
