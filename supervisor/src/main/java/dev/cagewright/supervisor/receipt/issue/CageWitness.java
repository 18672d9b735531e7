package dev.cagewright.supervisor.receipt.issue;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Run;
import dev.cagewright.supervisor.receipt.Argv;
import dev.cagewright.supervisor.receipt.Bounded;
import dev.cagewright.supervisor.receipt.ProgramsStated;
import dev.cagewright.supervisor.receipt.ProgramsStated.Program;
import dev.cagewright.supervisor.receipt.RunEnd;
import dev.cagewright.supervisor.session.RunOutcome;
import dev.cagewright.supervisor.session.RunWatcher;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// Stands beside one named cage from the moment that somebody wants it and remembers what its receipt has to say: of
/// the cage, and of the programs in it. Remembers as much as a receipt can hold, however long the cage lasts. Safe for
/// all threads.
public final class CageWitness {
    /// The most names of variables.
    private static final int MOST_NAMES = 1_000;

    private final InstantSource clock;
    private final RunWitness whole;
    private final Map<String, Program> first = new LinkedHashMap<>();
    private final TreeSet<String> variables = new TreeSet<>();
    private RunEnd.Used used = new RunEnd.Used(0, 0, 0, 0, 0, 0);
    private long count;
    private long shownBytes;

    public CageWitness(InstantSource clock) {
        this.clock = clock;
        this.whole = new RunWitness(clock);
    }

    /// Saw it as a whole; hears of a set-up.
    public RunWitness whole() {
        return whole;
    }

    /// It is up.
    public void stands(CageSpec spec, Enforcement held) {
        whole.stands(spec, held);
    }

    /// It is down.
    public void down() {
        whole.reached("ended");
    }

    /// A program may run in it.
    public synchronized void allowed(Warrant warrant, Action.ProcExec program) {
        count++;
        if (first.size() < ProgramsStated.MOST) {
            var id = warrant.id().value();
            first.put(id, new Program(id, shown(Argv.of(program.argv())), ProgramsStated.UNKNOWN, 0));
        }
    }

    private Argv shown(Argv argv) {
        shownBytes += argv.shownBytes();
        return shownBytes <= ProgramsStated.SHOWN ? argv : argv.unshown();
    }

    /// That program is over.
    public synchronized void ended(RunOutcome outcome) {
        var end = RunEnd.of(outcome, 0);
        first.computeIfPresent(
                outcome.id().value(), (id, begun) -> new Program(id, begun.argv(), end.cause(), end.status()));
        add(end.used());
    }

    private void add(RunEnd.Used more) {
        used = new RunEnd.Used(
                0,
                used.user() + more.user(),
                used.system() + more.system(),
                Math.max(used.memory(), more.memory()),
                used.out() + more.out(),
                used.err() + more.err());
    }

    /// A watcher that tells this witness, and then `next`.
    public RunWatcher before(RunWatcher next) {
        return new Watching(next);
    }

    private synchronized void keep(Launch launch) {
        for (String name : PlannedCage.variables(launch)) {
            if (variables.size() < MOST_NAMES) {
                variables.add(name);
            }
        }
    }

    /// What its programs used together; the wall time is the cage's own, from when it was asked for.
    public synchronized RunEnd.Used used() {
        var begun = whole.phases().getFirst().at();
        return new RunEnd.Used(
                Math.max(0, Duration.between(begun, clock.instant()).toMillis()),
                used.user(),
                used.system(),
                used.memory(),
                used.out(),
                used.err());
    }

    synchronized ProgramsStated programs() {
        return new ProgramsStated(count, List.copyOf(first.values()));
    }

    synchronized List<String> environment() {
        return Bounded.sentences(List.copyOf(variables));
    }

    /// Stands in front of another watcher.
    private final class Watching implements RunWatcher {
        private final RunWatcher next;

        Watching(RunWatcher next) {
            this.next = next;
        }

        @Override
        public void planned(CageSpec spec, Launch launch) {
            keep(launch);
            next.planned(spec, launch);
        }

        @Override
        public void starting(Warrant warrant, List<String> notices) {
            next.starting(warrant, notices);
        }

        @Override
        public Optional<Exit.Cause> ended() {
            return next.ended();
        }

        @Override
        public Watch started(Run run) throws IOException {
            return next.started(run);
        }
    }
}
