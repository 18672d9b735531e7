package dev.cagewright.supervisor.receipt.issue;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.engine.Rules;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Run;
import dev.cagewright.supervisor.receipt.Argv;
import dev.cagewright.supervisor.receipt.Bounded;
import dev.cagewright.supervisor.receipt.CageStated;
import dev.cagewright.supervisor.receipt.RunEnd;
import dev.cagewright.supervisor.receipt.RunStated;
import dev.cagewright.supervisor.receipt.SetupStated;
import dev.cagewright.supervisor.session.RunOutcome;
import dev.cagewright.supervisor.session.RunWatcher;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Stands beside one run and remembers what a receipt has to say. Names of variables
/// are kept, values never. Safe for all threads.
public final class RunWitness {
    private final InstantSource clock;
    private final List<RunStated.Phase> phases = new ArrayList<>();
    private final List<String> relaxations = new ArrayList<>();
    private List<String> environment = List.of();
    private List<CageStated.Place> places = List.of();
    private Enforcement held = new Enforcement(List.of(), List.of());
    private Optional<SetupStated> setup = Optional.empty();

    /// The run begins now.
    public RunWitness(InstantSource clock) {
        this.clock = clock;
        reached("asked");
    }

    /// The run has come to a phase.
    ///
    /// @param phase one word
    synchronized void reached(String phase) {
        phases.add(new RunStated.Phase(phase, clock.instant()));
    }

    /// The run was allowed.
    public synchronized void allowed(Warrant warrant) {
        reached("decided");
        if (warrant.allowed().because().contains(Rules.UNISOLATED)) {
            relaxations.add("unsafe-no-isolation");
        }
    }

    /// The run was denied.
    public void denied() {
        reached("decided");
    }

    /// What had to run before is over, however it ended.
    ///
    /// @param witness stood beside it
    /// @param isolation that it was asked for
    /// @param program what was to run
    public synchronized void setUp(RunWitness witness, Isolation isolation, Action.ProcExec program, RunEnd end) {
        witness.phases().stream()
                .filter(phase -> !phase.name().equals("asked"))
                .map(phase -> new RunStated.Phase("setup-" + phase.name(), phase.at()))
                .forEach(phases::add);
        var cage = new CageStated(isolation.word(), witness.relaxations(), witness.held(), witness.places());
        setup = Optional.of(new SetupStated(Argv.of(program.argv()), cage, end));
    }

    /// The run is over.
    public synchronized void ended(RunOutcome outcome) {
        if (outcome instanceof RunOutcome.Ended ended) {
            held = ended.enforcement();
        }
    }

    /// A watcher that tells this witness, and then `next`.
    public RunWatcher before(RunWatcher next) {
        return new Watching(next);
    }

    private synchronized void keep(CageSpec spec, Launch launch) {
        reached("planned");
        environment = Bounded.sentences(PlannedCage.variables(launch));
        places = PlannedCage.places(spec);
    }

    /// A cage that lasts stands.
    synchronized void stands(CageSpec spec, Enforcement enforcement) {
        reached("caged");
        places = PlannedCage.places(spec);
        held = enforcement;
    }

    synchronized Optional<SetupStated> setup() {
        return setup;
    }

    synchronized Enforcement held() {
        return held;
    }

    synchronized List<RunStated.Phase> phases() {
        return List.copyOf(phases);
    }

    synchronized List<String> relaxations() {
        return List.copyOf(relaxations);
    }

    synchronized List<String> environment() {
        return environment;
    }

    synchronized List<CageStated.Place> places() {
        return places;
    }

    /// Stands in front of another watcher.
    private final class Watching implements RunWatcher {
        private final RunWatcher next;

        Watching(RunWatcher next) {
            this.next = next;
        }

        @Override
        public void planned(CageSpec spec, Launch launch) {
            keep(spec, launch);
            next.planned(spec, launch);
        }

        @Override
        public void starting(Warrant warrant, List<String> notices) {
            reached("caged");
            next.starting(warrant, notices);
        }

        @Override
        public Optional<Exit.Cause> ended() {
            return next.ended();
        }

        @Override
        public Watch started(Run run) throws IOException {
            reached("started");
            var watch = next.started(run);
            return () -> {
                reached("ended");
                watch.close();
            };
        }
    }
}
