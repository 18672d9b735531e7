package dev.cagewright.bench;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.sandbox.protect.ProtectionPlan;
import dev.cagewright.sandbox.protect.ProtectionRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// From the request to the exit of `true`: a plain process, bubblewrap where it is installed, a new cage, a new
/// cage with a typical set of protected paths, and one more program in a cage that stands. Interleaved; one at
/// a time, then eight at a time.
final class SpawnBench {
    private static final List<String> PROGRAM = List.of("/usr/bin/true");
    private static final int TOGETHER = 8;

    private SpawnBench() {}

    static void main(String... arguments)
            throws IOException, InterruptedException, ConfinementException, DeniedException, BadPolicyException {
        var effort = Effort.of(arguments);
        var figures = new Figures();
        try (var project = SampleProject.create();
                var runtime = NamespacesRuntime.start()) {
            var workspace = HostDirectory.open(ByteString.of(project.path().toString()), Access.READ_WRITE);
            var spec = CageSpec.of("bench", workspace);
            var runs = new CagedRuns(runtime, project.path());
            try (var standing = runtime.create(spec)) {
                var ways = new ArrayList<Way>();
                ways.add(new PlainProcess("plain", PlainProcess.Output.DISCARDED, PROGRAM));
                ways.add(new PlainProcess("plain-read", PlainProcess.Output.READ, PROGRAM));
                PlainProcess.bubblewrap(project.path(), PROGRAM).ifPresent(ways::add);
                ways.add(runs.eachInItsOwn("cage", spec));
                ways.add(runs.eachInItsOwn("cage-protected", spec.withMasks(masks(project.path(), figures))));
                ways.add(runs.allIn("standing", standing));
                race(ways, 1, effort.spawnSeconds() * 2 / 3, figures, runs);
                race(ways, TOGETHER, effort.spawnSeconds() / 3, figures, runs);
            }
        }
        figures.write("spawn");
    }

    private static void race(List<Way> ways, int width, int seconds, Figures figures, CagedRuns runs)
            throws IOException, InterruptedException, ConfinementException, DeniedException {
        try (var race = new Race(ways, width)) {
            race.run(Math.max(1, seconds / 4));
            runs.forgetSteps();
            race.run(seconds * 3 / 4);
            race.write(figures, width == 1 ? "spawn." : "spawn" + width + ".");
        }
        if (width == 1) {
            runs.writeSteps(figures);
        }
    }

    /// The plan that a run makes, without the names it would hold free: those need files.
    private static List<Mask> masks(Path workspace, Figures figures) throws IOException {
        var request = new ProtectionRequest(workspace, workspace.resolve("nobody"), Set.of(), List.of(".env"));
        var times = new ArrayList<Long>();
        var masks = new ArrayList<Mask>();
        for (int i = 0; i < 20; i++) {
            long begin = System.nanoTime();
            var plan = ProtectionPlan.scan(request);
            times.add(System.nanoTime() - begin);
            masks.clear();
            masks.addAll(plan.masks());
        }
        figures.percentiles("steps.cage-protected.plan", times);
        masks.removeIf(mask -> !Files.exists(workspace.resolve(mask.path().toString())));
        figures.put("spawn.masks", masks.size());
        return masks;
    }
}
