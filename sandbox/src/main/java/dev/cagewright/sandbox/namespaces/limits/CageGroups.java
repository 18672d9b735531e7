package dev.cagewright.sandbox.namespaces.limits;

import dev.cagewright.sandbox.Descriptor;
import dev.cagewright.sandbox.Enforcement.Enforced;
import dev.cagewright.sandbox.Limits;
import dev.cagewright.sandbox.kernel.FileControl;
import dev.cagewright.sandbox.kernel.KernelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// The control groups of one cage, one a hierarchy. Each file is tried; what the kernel took is in force.
public final class CageGroups implements AutoCloseable {
    /// The name of a group of version 2, which has several controllers.
    private static final String UNIFIED = "";

    private static final long PERIOD_MICROS = 100_000;

    /// The cage's first process counts too.
    private static final int OWN_PROCESSES = 1;

    /// What processes may take to stand still; one that waits for a disk stands when the disk has answered.
    private static final Duration STANDING = Duration.ofSeconds(10);

    private final Map<String, Path> byController = new HashMap<>();
    private final List<Path> groups = new ArrayList<>();
    private final Map<String, Enforced> enforced = new LinkedHashMap<>();
    private final GroupRemoval removal;

    CageGroups(GroupRemoval removal) {
        this.removal = removal;
    }

    void add(Hierarchy hierarchy, Path group) {
        try {
            offerControllers(hierarchy);
            Files.createDirectory(group);
            groups.add(group);
            hierarchy.controllers().forEach(controller -> byController.put(controller, group));
            if (hierarchy.version() == Hierarchy.Version.V2) {
                byController.put(UNIFIED, group);
            }
        } catch (IOException _) {
            return; // not ours to divide; the report names the limits that are missing
        }
    }

    /// Version 2 hands controllers down only where the parent says so; a group with processes may not, but
    /// the root may.
    private static void offerControllers(Hierarchy hierarchy) {
        if (hierarchy.version() == Hierarchy.Version.V2) {
            for (var controller : List.of("+memory", "+pids", "+cpu")) {
                write(hierarchy.own().resolve("cgroup.subtree_control"), controller);
            }
        }
    }

    /// Sets what `limits` ask for besides memory; what cannot be had is left out.
    public void limitOthers(Limits limits) {
        limitProcesses(limits.processes());
        limitCpus(limits.cpus());
    }

    /// Sets what `limits` ask for of memory, if it can be had.
    public void limitMemory(Limits limits) {
        long bytes = limits.memoryBytes();
        if (bytes == Limits.UNBOUNDED) {
            return;
        }
        set("memory", "memory.max", Long.toString(bytes), bytes + " bytes");
        set("memory", "memory.limit_in_bytes", Long.toString(bytes), bytes + " bytes");
        write(find("memory.swap.max"), "0");
        write(find("memory.memsw.limit_in_bytes"), Long.toString(bytes));
    }

    private void limitProcesses(int processes) {
        set("processes", "pids.max", Integer.toString(processes + OWN_PROCESSES), Integer.toString(processes));
    }

    private void limitCpus(double cpus) {
        if (cpus == Limits.ALL_CPUS) {
            return;
        }
        var quota = Long.toString(Math.max(1_000, Math.round(cpus * PERIOD_MICROS)));
        set("cpus", "cpu.max", quota + " " + PERIOD_MICROS, Double.toString(cpus));
        write(find("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
        set("cpus", "cpu.cfs_quota_us", quota, Double.toString(cpus));
    }

    private void set(String limit, String file, String value, String words) {
        if (write(find(file), value)) {
            enforced.put(limit, new Enforced(limit, "control group " + file, words));
        }
    }

    /// A file of a controller, in its group of version 1 or else in that of version 2.
    private Optional<Path> find(String file) {
        var unified = byController.get(UNIFIED);
        var group = byController.getOrDefault(file.substring(0, file.indexOf('.')), unified);
        return Optional.ofNullable(group).map(folder -> folder.resolve(file)).filter(Files::exists);
    }

    private static boolean write(Optional<Path> file, String value) {
        return file.isPresent() && write(file.get(), value);
    }

    private static boolean write(Path file, String value) {
        try {
            FileControl.overwrite(file, value);
            return true;
        } catch (KernelException _) {
            return false;
        }
    }

    /// What the groups hold, by the limit's name.
    Map<String, Enforced> enforced() {
        return Map.copyOf(enforced);
    }

    /// Whether the memory of all processes together is held.
    public boolean holdsMemory() {
        return enforced.containsKey("memory");
    }

    /// The files by which a process joins; the caller closes them.
    public List<Descriptor> doors() throws KernelException {
        var doors = new ArrayList<Descriptor>();
        for (var group : groups) {
            doors.add(new Descriptor(FileControl.openForWriting(group.resolve("cgroup.procs"))));
        }
        return doors;
    }

    /// How many processes the kernel has killed for memory.
    public long killedForMemory() {
        var file = find("memory.events").or(() -> find("memory.oom_control"));
        if (file.isEmpty()) {
            return 0;
        }
        try {
            return Files.readAllLines(file.get()).stream()
                    .filter(line -> line.startsWith("oom_kill "))
                    .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                    .sum();
        } catch (IOException _) {
            return 0;
        }
    }

    /// Stops every process of the groups; from when it returns on none of them runs. False when that is not possible
    /// here.
    public boolean freeze() {
        return (write(find("cgroup.freeze"), "1") && comesToSay("cgroup.events", "frozen 1"))
                || (write(find("freezer.state"), "FROZEN") && comesToSay("freezer.state", "FROZEN"));
    }

    /// The kernel takes the order at once, and each process stands when it comes by next.
    private boolean comesToSay(String file, String line) {
        long end = System.nanoTime() + STANDING.toNanos();
        while (!says(find(file), line)) {
            if (System.nanoTime() - end >= 0) {
                thaw();
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }

    private static boolean says(Optional<Path> file, String line) {
        try {
            return file.isPresent() && Files.readAllLines(file.get()).contains(line);
        } catch (IOException _) {
            return false;
        }
    }

    /// Lets them go on; false when that is not possible here.
    public boolean thaw() {
        return write(find("cgroup.freeze"), "0") || write(find("freezer.state"), "THAWED");
    }

    /// Has the groups removed; nothing may live in them any more.
    @Override
    public void close() {
        removal.later(List.copyOf(groups));
    }
}
