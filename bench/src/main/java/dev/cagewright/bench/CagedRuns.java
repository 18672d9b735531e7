package dev.cagewright.bench;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.document.ExecSection;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.CompiledPolicy;
import dev.cagewright.policy.gate.Approvals;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Gate;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.Streams;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Runs `true` in cages of one resident runtime, behind a real gate, and keeps what each step took.
final class CagedRuns {
    private static final List<ByteString> ENVIRONMENT =
            List.of(ByteString.of("PATH=/usr/bin:/bin"), ByteString.of("HOME=/home/cage"));

    private final Runtime runtime;
    private final Path workspace;
    private final Gate gate;
    private final Action.ProcExec action;
    private final Map<String, List<Long>> steps = new ConcurrentHashMap<>();

    CagedRuns(Runtime runtime, Path workspace) throws BadPolicyException {
        this.runtime = runtime;
        this.workspace = workspace;
        gate = new Gate(List.of(policy()), Approvals.NOBODY, new InMemoryJournal());
        action = new Action.ProcExec(List.of(ByteString.of("true")), new GuestPath(workspace.toString()));
    }

    private static CompiledPolicy policy() throws BadPolicyException {
        var empty = PolicyDocument.EMPTY;
        return CompiledPolicy.compile(new PolicyDocument(
                empty.tool(),
                empty.minIsolation(),
                empty.mode(),
                empty.command(),
                empty.fs(),
                empty.net(),
                empty.credentials(),
                Optional.of(new ExecSection(Optional.of(List.of("true")), Optional.empty())),
                empty.approval(),
                empty.resources(),
                empty.inspect(),
                empty.capture(),
                Optional.empty(),
                empty.mcp(),
                empty.origins()));
    }

    /// A new cage for each run: create, start, await; it is closed when the time has been taken.
    Way eachInItsOwn(String name, CageSpec spec, Recovery recovery) {
        return way(name, recovery, () -> {
            long begin = System.nanoTime();
            var cage = runtime.create(spec);
            keep(name, "create", System.nanoTime() - begin);
            try {
                run(name, cage);
            } catch (IOException | InterruptedException | ConfinementException | DeniedException e) {
                cage.close();
                throw e;
            }
            return () -> close(name, cage);
        });
    }

    private void close(String name, Cage cage) {
        long begin = System.nanoTime();
        cage.close();
        keep(name, "close", System.nanoTime() - begin);
    }

    /// One more program in a cage that stands.
    Way allIn(String name, Cage cage) {
        return way(name, Recovery.NONE, () -> {
            run(name, cage);
            return Way.Rest.NOTHING;
        });
    }

    private void run(String name, Cage cage)
            throws IOException, InterruptedException, ConfinementException, DeniedException {
        long begin = System.nanoTime();
        var warrant = gate.pass(action);
        long passed = System.nanoTime();
        var launch = new Launch(ByteString.of("/usr/bin/true"), ENVIRONMENT, Streams.Pipes.discarding());
        var run = cage.start(warrant, launch);
        long started = System.nanoTime();
        var exit = run.await();
        long ended = System.nanoTime();
        if (exit.status() != 0) {
            throw new IOException(workspace + ": " + exit);
        }
        keep(name, "gate", passed - begin);
        keep(name, "start", started - passed);
        keep(name, "await", ended - started);
    }

    private void keep(String way, String step, long nanos) {
        steps.computeIfAbsent(way + "." + step, _ -> Collections.synchronizedList(new ArrayList<>()))
                .add(nanos);
    }

    /// Forgets the steps of the warm-up.
    void forgetSteps() {
        steps.clear();
    }

    void writeSteps(Figures figures) {
        steps.forEach((step, nanos) -> figures.percentiles("steps." + step, nanos));
    }

    /// How to wait for what a way prepares in the background.
    @FunctionalInterface
    interface Recovery {
        Recovery NONE = () -> {};

        void await() throws InterruptedException;
    }

    private interface Once {
        Way.Rest run() throws IOException, InterruptedException, ConfinementException, DeniedException;
    }

    private static Way way(String name, Recovery recovery, Once once) {
        return new Way() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Rest once() throws IOException, InterruptedException, ConfinementException, DeniedException {
                return once.run();
            }

            @Override
            public void recover() throws InterruptedException {
                recovery.await();
            }
        };
    }
}
