package dev.cagewright.bench;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.sandbox.pool.PoolBounds;
import dev.cagewright.sandbox.pool.WarmPool;
import dev.cagewright.sandbox.protect.ProtectionPlan;
import dev.cagewright.sandbox.protect.ProtectionRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// From the request to the exit of `true`: a plain process, bubblewrap where it is installed, a new cage of a
/// supervisor that stays and of one that has prepared nothing, a new cage with a typical set of protected paths, one
/// out of the pool, and one more program in a cage that stands. Interleaved; 1, 8 and 64 at a time.
final class SpawnBench {
    private static final List<String> PROGRAM = List.of("/usr/bin/true");

    /// First processes that wait, in a supervisor that stays.
    private static final int AHEAD = 16;

    /// Cages that wait in the pool: as many as are asked for at a time, and a few more.
    private static final int SPARES = 72;

    /// Longer than it takes to make what was used up.
    private static final Duration PAUSE = Duration.ofMillis(25);

    private final SampleProject project;
    private final CageSpec spec;
    private final Figures figures;
    private final List<CagedRuns> runs = new ArrayList<>();

    private SpawnBench(SampleProject project, CageSpec spec, Figures figures) {
        this.project = project;
        this.spec = spec;
        this.figures = figures;
    }

    static void main(String... arguments)
            throws IOException, InterruptedException, ConfinementException, DeniedException, BadPolicyException {
        int seconds = Effort.of(arguments).spawnSeconds();
        var figures = new Figures();
        try (var project = SampleProject.create();
                var alone = NamespacesRuntime.start();
                var resident = NamespacesRuntime.start(AHEAD);
                var pool = WarmPool.over(
                        NamespacesRuntime.start(AHEAD),
                        new PoolBounds(SPARES, Duration.ofHours(1), Duration.ofHours(1)),
                        _ -> {})) {
            var workspace = HostDirectory.open(ByteString.of(project.path().toString()), Access.READ_WRITE);
            var bench = new SpawnBench(project, CageSpec.of("bench", workspace), figures);
            try (var standing = alone.create(bench.spec)) {
                var ways = new ArrayList<Way>();
                ways.addAll(bench.plain());
                ways.addAll(bench.built(alone, resident));
                ways.add(bench.pooled(pool));
                ways.add(bench.standing(alone, standing));
                bench.age(ways, seconds / 10);
                bench.race(ways, 1, seconds / 2);
                bench.race(ways, 8, seconds / 4);
                bench.race(ways, 64, seconds / 4);
            }
            figures.put("spawn.pool.claimed", pool.counts().claimed());
            figures.put("spawn.pool.missed", pool.counts().missed());
        }
        figures.write("spawn");
    }

    private List<Way> plain() {
        var ways = new ArrayList<Way>();
        ways.add(new PlainProcess("plain", PlainProcess.Output.DISCARDED, PROGRAM));
        ways.add(new PlainProcess("plain-read", PlainProcess.Output.READ, PROGRAM));
        PlainProcess.bubblewrap(project.path(), PROGRAM).ifPresent(ways::add);
        return ways;
    }

    private List<Way> built(NamespacesRuntime alone, NamespacesRuntime resident)
            throws BadPolicyException, IOException {
        var cold = keep(new CagedRuns(alone, project.path()));
        var warm = keep(new CagedRuns(resident, project.path()));
        CagedRuns.Recovery pause = () -> Thread.sleep(PAUSE);
        return List.of(
                cold.eachInItsOwn("cage-alone", spec, CagedRuns.Recovery.NONE),
                warm.eachInItsOwn("cage", spec, pause),
                warm.eachInItsOwn("cage-protected", spec.withMasks(masks()), pause));
    }

    private Way pooled(WarmPool pool) throws BadPolicyException, InterruptedException {
        pool.keep(spec, SPARES);
        CagedRuns.Recovery full = () -> {
            boolean ignored = pool.awaitReady(spec, Duration.ofSeconds(30));
        };
        full.await();
        return keep(new CagedRuns(pool, project.path())).eachInItsOwn("pooled", spec, full);
    }

    private Way standing(NamespacesRuntime alone, Cage cage) throws BadPolicyException {
        return keep(new CagedRuns(alone, project.path())).allIn("standing", cage);
    }

    private CagedRuns keep(CagedRuns some) {
        runs.add(some);
        return some;
    }

    /// A supervisor that stays has started thousands of programs before: without pauses, so many here.
    private void age(List<Way> ways, int seconds)
            throws IOException, InterruptedException, ConfinementException, DeniedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Math.max(1, seconds));
        var young = ways.stream()
                .filter(way -> way.name().equals("cage") || way.name().equals("standing"))
                .toList();
        while (System.nanoTime() < end) {
            for (var way : young) {
                way.once().giveBack();
            }
        }
    }

    private void race(List<Way> ways, int width, int seconds)
            throws IOException, InterruptedException, ConfinementException, DeniedException {
        try (var race = new Race(ways, width)) {
            race.run(Math.max(1, seconds / 4));
            runs.forEach(CagedRuns::forgetSteps);
            race.run(seconds * 3 / 4);
            race.write(figures, width == 1 ? "spawn." : "spawn" + width + ".");
        }
        if (width == 1) {
            runs.forEach(some -> some.writeSteps(figures));
        }
    }

    /// The plan that a run makes, without the names it would hold free: those need files.
    private List<Mask> masks() throws IOException {
        var workspace = project.path();
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
