package dev.cagewright.supervisor.session;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.programs.ProgramNotFoundException;
import dev.cagewright.supervisor.session.StandingCage.Scratch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// One allowed program in one cage of its own, from the warrant to the recorded outcome.
final class CagedRun {
    private final Session session;
    private final RuntimeSource source;
    private final RunWatcher watcher;

    CagedRun(Session session, RuntimeSource source, RunWatcher watcher) {
        this.session = session;
        this.source = source;
        this.watcher = watcher;
    }

    RunOutcome run(Warrant warrant, RunRequest request) throws IOException, InterruptedException {
        var program = session.programOf(request);
        var outcome = attempt(warrant, program, request);
        session.record(warrant, program, outcome);
        return outcome;
    }

    private RunOutcome attempt(Warrant warrant, Action.ProcExec program, RunRequest request)
            throws InterruptedException {
        try (var scratch = Scratch.in(session.folder())) {
            var plan = CagePlan.of(session, program, request, scratch.path());
            return caged(warrant, plan, plan.start(session, program, request), request);
        } catch (ProgramNotFoundException e) {
            return new RunOutcome.NoProgram(warrant.id(), e.kind(), String.valueOf(e.getMessage()), List.of());
        } catch (ConfinementException e) {
            return new RunOutcome.NoCage(warrant.id(), e, List.of());
        } catch (IOException e) {
            return new RunOutcome.NoCage(warrant.id(), StandingCage.unguarded(e), List.of());
        }
    }

    private RunOutcome caged(Warrant warrant, CagePlan plan, CagePlan.Start start, RunRequest request)
            throws IOException, InterruptedException, ConfinementException {
        try (var cage =
                StandingCage.build(session, plan, request, source, spec -> watcher.planned(spec, start.launch()))) {
            Exit exit;
            Enforcement enforcement;
            try {
                exit = awaited(cage, warrant, start);
                enforcement = cage.enforcement();
            } catch (ConfinementException e) {
                cage.abandon();
                throw e;
            }
            var afterwards = cage.end();
            var notices = new ArrayList<>(cage.notices());
            notices.addAll(start.notices());
            return new RunOutcome.Ended(warrant.id(), exit, enforcement, notices, afterwards);
        }
    }

    private Exit awaited(StandingCage cage, Warrant warrant, CagePlan.Start start)
            throws IOException, InterruptedException, ConfinementException {
        try (var _ = cage.watched()) {
            return cage.exit(warrant, start, watcher);
        } finally {
            session.askNoMore();
        }
    }
}
