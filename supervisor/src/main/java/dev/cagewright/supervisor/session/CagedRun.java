package dev.cagewright.supervisor.session;

import dev.cagewright.audit.json.Json;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.policy.token.Verification;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.KillReason;
import dev.cagewright.sandbox.programs.ProgramNotFoundException;
import dev.cagewright.supervisor.changes.PivotReport;
import dev.cagewright.supervisor.copy.RunCopies;
import dev.cagewright.supervisor.credentials.RunHome;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.net.CageDoor;
import dev.cagewright.supervisor.token.TokenWatch;
import dev.cagewright.supervisor.trust.RunTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// One allowed program in one cage of its own, from the warrant to the recorded outcome.
final class CagedRun {
    private static final int PLANS = 4;

    private final Session session;
    private final RuntimeSource source;
    private final RunWatcher watcher;
    private final AtomicReference<Optional<String>> cutBy = new AtomicReference<>(Optional.empty());

    CagedRun(Session session, RuntimeSource source, RunWatcher watcher) {
        this.session = session;
        this.source = source;
        this.watcher = watcher;
    }

    /// Steps in an order that matters: the plan, then what guards the workspace, then the cage, then the
    /// program; and the guard is lifted only when nothing of the cage lives any more.
    RunOutcome run(Warrant warrant, RunRequest request) throws IOException, InterruptedException {
        var program = session.programOf(request);
        var outcome = attempt(warrant, program, request);
        try {
            session.journal().outcome(warrant.id(), program, outcome.toJson());
        } catch (IOException e) {
            throw new UnrecordedOutcomeException(outcome, e);
        }
        return outcome;
    }

    private RunOutcome attempt(Warrant warrant, Action.ProcExec program, RunRequest request)
            throws InterruptedException {
        try (var scratch = Scratch.in(session.folder())) {
            return planned(warrant, CagePlan.of(session, program, request, scratch.path()), request);
        } catch (ProgramNotFoundException e) {
            return new RunOutcome.NoProgram(warrant.id(), e.kind(), String.valueOf(e.getMessage()), List.of());
        } catch (ConfinementException e) {
            return new RunOutcome.NoCage(warrant.id(), e, List.of());
        } catch (IOException e) {
            var cause = new ConfinementException(
                    "workspace",
                    "guard",
                    String.valueOf(e.getMessage()),
                    "name a workspace that you can read and write");
            return new RunOutcome.NoCage(warrant.id(), cause, List.of());
        }
    }

    /// Another run in the same workspace may take its placeholders away between the plan and the cage, so a
    /// mask that found nothing is a reason to plan again, a few times. Where the kernel refuses an overlay,
    /// the next attempt makes whole copies.
    private RunOutcome planned(Warrant warrant, CagePlan plan, RunRequest request)
            throws IOException, InterruptedException, ConfinementException {
        Optional<String> noOverlay = Optional.empty();
        for (int attempt = 1; ; attempt++) {
            var copies = RunCopies.make(owner(), plan.copied(), noOverlay);
            try (var guard = WorkspaceGuard.put(session, request, plan, copies)) {
                return guarded(warrant, plan.with(copies), new Guards(guard, copies, request.secrets()));
            } catch (ConfinementException e) {
                copies.discard();
                boolean isOverlays = e.step().equals("overlay") && noOverlay.isEmpty();
                if (attempt == PLANS || !(isOverlays || e.step().equals("masks"))) {
                    throw e;
                }
                noOverlay = isOverlays ? Optional.of(String.valueOf(e.getMessage())) : noOverlay;
            }
        }
    }

    private RunCopies.Owner owner() {
        return new RunCopies.Owner(
                session.id().value(), session.folder(), session.terms().copies());
    }

    private record Guards(WorkspaceGuard workspace, RunCopies copies, RunSecrets secrets) {}

    private RunOutcome guarded(Warrant warrant, CagePlan plan, Guards guards)
            throws IOException, InterruptedException, ConfinementException {
        Exit exit;
        Enforcement enforcement;
        CageDoor passed;
        var guard = guards.workspace();
        var spec = plan.spec().withMasks(guard.masks());
        watcher.planned(spec, plan.launch());
        try (var trust = RunTrust.of(session.folder(), session.authority(), spec);
                var home = RunHome.of(
                        session.folder(),
                        guards.secrets(),
                        session.terms().net().policy());
                var runtime = source.start();
                var cage = runtime.create(home.over(trust.over(spec)));
                var door = CageDoor.open(cage, session.ground(guards.secrets()))) {
            passed = door;
            watcher.starting(warrant, guard.noticesWith(plan.notices()));
            var run = cage.start(warrant, trust.over(plan.launch(), cage));
            try (var _ = guards.copies().watch(cage);
                    var _ = TokenWatch.begin(session.terms().token(), why -> cut(cage, door, why));
                    var _ = watcher.started(run)) {
                exit = run.await();
            } finally {
                session.askNoMore();
            }
            enforcement = guards.copies().reported(withGaps(cage.enforcement()));
        }
        session.spent(passed.spent());
        var afterwards = new ArrayList<>(unrecorded(passed));
        cutBy.get().ifPresent(why -> afterwards.add("the run was ended: " + why));
        afterwards.addAll(lifted(guard));
        afterwards.addAll(PivotReport.told(session.folder()));
        afterwards.addAll(guards.copies().ended());
        return new RunOutcome.Ended(warrant.id(), exit, enforcement, guard.noticesWith(plan.notices()), afterwards);
    }

    /// A session whose token is worth nothing any more is over: nothing new is let through, what is under way is ended,
    /// and no process of it goes on.
    private void cut(Cage cage, CageDoor door, Verification.Refused why) {
        cutBy.set(Optional.of(why.why()));
        try {
            session.note(
                    "token.cut",
                    Json.object()
                            .put("rule", why.fault().rule().value())
                            .put("why", why.why())
                            .build());
        } catch (IOException _) {
            // a log that takes no note takes no intent either, and the cage ends all the same
        } finally {
            door.revise();
            cage.kill(KillReason.REQUESTED);
        }
    }

    private static List<String> unrecorded(CageDoor door) {
        return door.unrecorded() == 0
                ? List.of()
                : List.of("the audit log could not be told how " + door.unrecorded()
                        + " requests or connections ended; it has that they were allowed");
    }

    /// The program has run by now, so what cannot be looked at is told and nothing else.
    private static List<String> lifted(WorkspaceGuard guard) {
        try {
            return guard.lift();
        } catch (IOException e) {
            return List.of("the workspace could not be looked at after the run: " + e.getMessage());
        }
    }

    private Enforcement withGaps(Enforcement held) {
        var gaps = new ArrayList<>(held.gaps());
        gaps.addAll(session.terms().gaps());
        return new Enforcement(held.enforced(), gaps);
    }

    /// An empty directory that stands in where a policy grants no workspace. The cage sees it read-only.
    private record Scratch(Path path) implements AutoCloseable {
        static Scratch in(Path folder) throws IOException {
            var path = folder.resolve("no-workspace");
            Files.deleteIfExists(path);
            return new Scratch(Files.createDirectory(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
        }

        /// What cannot be removed stays, empty, in the session's folder: the program's end counts for more.
        @Override
        public void close() {
            try {
                Files.deleteIfExists(path);
            } catch (IOException _) {
                return;
            }
        }
    }
}
