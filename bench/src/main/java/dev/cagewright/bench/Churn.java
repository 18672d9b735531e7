package dev.cagewright.bench;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/// Many cages alive at once, then many one after the other, each of which runs `true`. Fails when anything is left
/// of them.
final class Churn {
    private static final int AHEAD = 8;
    private static final int AT_A_TIME = 4;

    private final Runtime runtime;
    private final CageSpec spec;
    private final Figures figures;

    private Churn(Runtime runtime, CageSpec spec, Figures figures) {
        this.runtime = runtime;
        this.spec = spec;
        this.figures = figures;
    }

    /// @param arguments how many alive at once and how many one after the other, or `--short`, or nothing
    static void main(String... arguments)
            throws IOException, InterruptedException, ConfinementException, DeniedException, BadPolicyException {
        int alive = arguments.length == 2 ? Integer.parseInt(arguments[0]) : 1_000;
        int after = arguments.length == 2 ? Integer.parseInt(arguments[1]) : arguments.length == 1 ? 500 : 2_000;
        var figures = new Figures();
        try (var project = SampleProject.create()) {
            var before = Leftovers.now();
            try (var runtime = NamespacesRuntime.start(AHEAD)) {
                var workspace = HostDirectory.open(ByteString.of(project.path().toString()), Access.READ_WRITE);
                var churn = new Churn(runtime, CageSpec.of("churn", workspace), figures);
                churn.standTogether(alive);
                churn.comeAndGo(project.path(), after);
            }
            requireNothingMore(before);
        }
        figures.put("churn.left", 0);
        figures.write("churn");
    }

    private void standTogether(int count) throws IOException, ConfinementException {
        var cages = new ArrayList<Cage>();
        long begin = System.nanoTime();
        try {
            for (int i = 0; i < count; i++) {
                cages.add(runtime.create(spec.withId("alive-" + i)));
            }
            figures.put("alive.create", (double) (System.nanoTime() - begin) / count);
            requireAlive(cages);
        } finally {
            long end = System.nanoTime();
            cages.forEach(Cage::close);
            figures.put("alive.close", (double) (System.nanoTime() - end) / count);
        }
        figures.put("alive.count", count);
    }

    private static void requireAlive(List<Cage> cages) throws IOException {
        for (var cage : cages) {
            if (!Files.exists(Path.of("/proc", Long.toString(cage.initPid())))) {
                throw new IOException("first process of " + cage.id() + " is gone (expected: alive)");
            }
        }
    }

    private void comeAndGo(Path workspace, int count) throws IOException, InterruptedException, BadPolicyException {
        var way = new CagedRuns(runtime, workspace).eachInItsOwn("churn", spec, CagedRuns.Recovery.NONE);
        Callable<Integer> share = () -> {
            int mine = count / AT_A_TIME;
            for (int i = 0; i < mine; i++) {
                way.once().giveBack();
            }
            return mine;
        };
        long begin = System.nanoTime();
        int done = 0;
        try (var threads = Executors.newFixedThreadPool(AT_A_TIME)) {
            for (var ended : threads.invokeAll(List.of(share, share, share, share))) {
                done += ended.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("churn", e.getCause());
        }
        figures.put("churn.each", (double) (System.nanoTime() - begin) / done);
        figures.put("churn.count", done);
    }

    private static void requireNothingMore(Leftovers before) throws IOException {
        var more = Leftovers.now().moreThan(before);
        if (!more.isEmpty()) {
            throw new IOException("left: " + more);
        }
    }
}
