package dev.cagewright.bench;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What a cage costs in which nothing runs: memory of its first process and of the kernel, descriptors of the
/// supervisor. Then whether anything is left when all are gone, which fails the run.
final class IdleCages {
    /// Of the kernel, in `/proc/meminfo`, and not given back when memory is short.
    private static final Set<String> KERNEL = Set.of("SUnreclaim:", "KernelStack:", "PageTables:", "Percpu:");

    private static final Duration SETTLING = Duration.ofSeconds(5);

    private IdleCages() {}

    static void main(String... arguments) throws IOException, ConfinementException {
        int count = Effort.of(arguments).cages();
        var figures = new Figures();
        try (var project = SampleProject.create();
                var runtime = NamespacesRuntime.start()) {
            var workspace = HostDirectory.open(ByteString.of(project.path().toString()), Access.READ_WRITE);
            runtime.create(CageSpec.of("first", workspace)).close(); // loads classes and opens what stays open
            var before = Descriptors.now();
            long kernelBefore = kernelBytes();
            var cages = new ArrayList<Cage>();
            for (int i = 0; i < count; i++) {
                cages.add(runtime.create(CageSpec.of("idle-" + i, workspace)));
            }
            figures.put("idle.count", count);
            figures.put("idle.kernel", (double) (kernelBytes() - kernelBefore) / count);
            figures.put("idle.process", proportionalBytes(cages) / count);
            figures.put("idle.memory", (proportionalBytes(cages) + kernelBytes() - kernelBefore) / count);
            figures.put("idle.descriptors", (double) (Descriptors.now().count() - before.count()) / count);
            cages.forEach(Cage::close);
            requireNothingLeft(cages, before);
        }
        requireNoGroups();
        figures.put("idle.left", 0);
        figures.write("idle");
    }

    private static long kernelBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/meminfo")).stream()
                .map(line -> line.split(" +", -1))
                .filter(fields -> KERNEL.contains(fields[0]))
                .mapToLong(fields -> Long.parseLong(fields[1]) * 1024)
                .sum();
    }

    private static double proportionalBytes(List<Cage> cages) throws IOException {
        double sum = 0;
        for (var cage : cages) {
            var rollup = Path.of("/proc", Long.toString(cage.initPid()), "smaps_rollup");
            sum += Files.readAllLines(rollup, StandardCharsets.ISO_8859_1).stream()
                    .filter(line -> line.startsWith("Pss:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                    .sum();
        }
        return sum;
    }

    private static void requireNothingLeft(List<Cage> cages, Descriptors before) throws IOException {
        for (var cage : cages) {
            if (Files.exists(Path.of("/proc", Long.toString(cage.initPid())))) {
                throw new IOException("first process of " + cage.id() + " is alive (expected: gone)");
            }
        }
        Descriptors.awaitNoMoreThan(before, SETTLING);
    }

    private static void requireNoGroups() throws IOException {
        var left = OwnGroups.now();
        if (!left.isEmpty()) {
            throw new IOException("control groups: " + left + " (expected: none)");
        }
    }
}
