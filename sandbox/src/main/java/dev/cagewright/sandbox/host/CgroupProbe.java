package dev.cagewright.sandbox.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// How control groups are laid out, and which limits of a cage somebody enforces (cgroups(7)).
final class CgroupProbe {
    private static final List<String> LIMITS = List.of("memory", "pids", "cpu");
    private static final String DELEGATE =
            "start cagewright in a delegated group: systemd-run --user --scope -p Delegate=yes cagewright ...";

    private final HostFacts facts;

    CgroupProbe(HostFacts facts) {
        this.facts = facts;
    }

    /// One finding for the layout and one for each limit.
    List<Finding> findings() {
        var findings = new ArrayList<Finding>();
        findings.add(layout());
        LIMITS.forEach(limit -> findings.add(limit(limit)));
        return findings;
    }

    private boolean isPureV2() {
        return facts.exists("sys/fs/cgroup/cgroup.controllers");
    }

    private boolean hasUnified() {
        return facts.exists("sys/fs/cgroup/unified/cgroup.controllers");
    }

    private Finding layout() {
        if (isPureV2()) {
            return Finding.ok("cgroup", "version 2, own group " + ownV2().orElse("unknown"));
        }
        if (hasUnified()) {
            return Finding.ok("cgroup", "hybrid: limits by version 1, kill and freeze by version 2");
        }
        if (!v1Controllers().isEmpty()) {
            return Finding.ok("cgroup", "version 1: " + String.join(", ", v1Controllers()));
        }
        return Finding.degraded(
                "cgroup",
                "not mounted: limits are those of each process, kept by the kernel's rlimits",
                facts.container()
                        .map(_ -> "start the container with --cgroupns=private and cgroups mounted")
                        .orElse("mount -t cgroup2 none /sys/fs/cgroup (as root)"));
    }

    private Finding limit(String controller) {
        var name = "limit-" + controller;
        var group = group(controller);
        if (group.isPresent() && isMakeable(group.get())) {
            return Finding.ok(
                    name, "enforced by the control group below /" + facts.root().relativize(group.get()));
        }
        var why = group.isPresent()
                ? "the control group /" + facts.root().relativize(group.get()) + " is not ours to divide"
                : "no control group has it";
        return Finding.degraded(name, why + ": " + instead(controller), isPureV2() ? DELEGATE : "start as root");
    }

    private static String instead(String controller) {
        return switch (controller) {
            case "memory" -> "each process is limited by RLIMIT_DATA, their sum is not";
            case "pids" -> "counted by RLIMIT_NPROC in the cage's own user namespace, which is exact";
            default -> "a cage may use every processor; its processes are only made less urgent";
        };
    }

    /// The group below which a cage's group for `controller` would be made.
    private Optional<Path> group(String controller) {
        if (isPureV2()) {
            return ownV2().map(own -> facts.root().resolve("sys/fs/cgroup").resolve(relative(own)))
                    .filter(group -> enabled(group).contains(controller));
        }
        return line(controller)
                .map(own -> facts.root()
                        .resolve("sys/fs/cgroup")
                        .resolve(controller)
                        .resolve(relative(own)))
                .map(group -> Files.isDirectory(group)
                        ? group
                        : facts.root().resolve("sys/fs/cgroup").resolve(controller))
                .filter(Files::isDirectory);
    }

    private Set<String> enabled(Path group) {
        var path = facts.root().relativize(group.resolve("cgroup.controllers")).toString();
        return Set.of(facts.text(path).orElse("").split(" ", -1));
    }

    private static boolean isMakeable(Path group) {
        return Files.isWritable(group) && Files.isWritable(group.resolve("cgroup.procs"));
    }

    private static String relative(String path) {
        return path.startsWith("/") ? path.substring(1) : path;
    }

    private Optional<String> ownV2() {
        return lines().stream()
                .filter(line -> line.startsWith("0::"))
                .map(line -> line.substring(3))
                .findFirst();
    }

    /// Our own group in the version 1 hierarchy of `controller`.
    private Optional<String> line(String controller) {
        return lines().stream()
                .map(line -> line.split(":", 3))
                .filter(parts ->
                        parts.length == 3 && List.of(parts[1].split(",", -1)).contains(controller))
                .map(parts -> parts[2])
                .findFirst();
    }

    private Set<String> v1Controllers() {
        var found = new TreeSet<String>();
        for (String line : lines()) {
            var parts = line.split(":", 3);
            if (parts.length == 3 && !parts[1].isEmpty() && !parts[1].startsWith("name=")) {
                found.addAll(List.of(parts[1].split(",", -1)));
            }
        }
        return found;
    }

    private List<String> lines() {
        return facts.text("proc/self/cgroup").orElse("").lines().toList();
    }
}
