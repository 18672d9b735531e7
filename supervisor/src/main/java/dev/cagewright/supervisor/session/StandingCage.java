package dev.cagewright.supervisor.session;

import dev.cagewright.audit.json.Json;
import dev.cagewright.egress.here.LocalDoor;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.engine.Rules;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.policy.token.Verification;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.KillReason;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Limits;
import dev.cagewright.sandbox.act.FileAct;
import dev.cagewright.sandbox.act.FileActed;
import dev.cagewright.sandbox.programs.ProgramNotFoundException;
import dev.cagewright.supervisor.approval.FileExhibit;
import dev.cagewright.supervisor.changes.PivotReport;
import dev.cagewright.supervisor.copy.RunCopies;
import dev.cagewright.supervisor.counter.TokenCounter;
import dev.cagewright.supervisor.credentials.RunHome;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.desk.SessionDesk;
import dev.cagewright.supervisor.guide.AgentsGuide;
import dev.cagewright.supervisor.guide.RunGuide;
import dev.cagewright.supervisor.journal.ActedJson;
import dev.cagewright.supervisor.net.CageDoor;
import dev.cagewright.supervisor.net.HostDoor;
import dev.cagewright.supervisor.publish.Publications;
import dev.cagewright.supervisor.repository.OwnConfigs;
import dev.cagewright.supervisor.signing.SigningSocket;
import dev.cagewright.supervisor.token.TokenWatch;
import dev.cagewright.supervisor.trust.RunTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// A cage that stands, with all that belongs to it: what guards its workspace, its copies, what its programs trust, its
/// door to the network. Programs run in it, at once or one after the other, until it is closed; whoever has it closes
/// it, before its session. Safe for all threads.
public final class StandingCage implements AutoCloseable {
    private static final int PLANS = 4;

    private final Session session;
    private final GuestPath here;
    private final CagePlan plan;
    private final Guards guards;
    private final Fittings fittings;
    private final Cage cage;
    private final CageDoor door;
    private final Publications published;

    /// What there is to close, in this order.
    private final Deque<Runnable> closing;

    private final AtomicReference<Optional<String>> cutBy = new AtomicReference<>(Optional.empty());
    private boolean isOver;

    /// What stands around a cage while it lives.
    ///
    /// @param here where its workspace is
    private record Guards(WorkspaceGuard workspace, RunCopies copies, GuestPath here) {}

    /// What was put into a cage for its programs.
    ///
    /// @param spec as it was before that
    private record Fittings(
            CageSpec spec, RunTrust trust, TokenCounter counter, SigningSocket signing, RunGuide guide) {}

    private StandingCage(Session session, CagePlan plan, Guards guards, Fittings fittings, Raised raised) {
        this.session = session;
        this.here = guards.here();
        this.plan = plan;
        this.guards = guards;
        this.fittings = fittings;
        this.cage = raised.cage();
        this.door = raised.door();
        this.published = raised.published();
        this.closing = raised.closing();
    }

    private record Raised(Cage cage, CageDoor door, Publications published, Deque<Runnable> closing) {}

    /// A cage without a limit of time and of what its programs write altogether: they have theirs one by one.
    static StandingCage lasting(Session session, RunRequest request, RuntimeSource source) throws ConfinementException {
        var scratch = new ArrayDeque<Scratch>();
        try {
            scratch.add(Scratch.in(session.folder()));
            var plan = CagePlan.standing(session, request, scratch.getFirst().path());
            var limits = plan.spec().limits().withWall(Limits.NO_END).withOutputBytes(Limits.UNBOUNDED);
            var cage = build(session, plan.limited(limits), request, source, _ -> {});
            cage.closing.addLast(scratch.getFirst()::close);
            cage.closing.addFirst(cage.watched()::close);
            return cage;
        } catch (IOException e) {
            scratch.forEach(Scratch::close);
            throw unguarded(e);
        } catch (ConfinementException | RuntimeException e) {
            scratch.forEach(Scratch::close);
            throw e;
        }
    }

    static ConfinementException unguarded(IOException why) {
        return new ConfinementException(
                "workspace", "guard", String.valueOf(why.getMessage()), "name a workspace that you can read and write");
    }

    /// Steps in an order that matters: the plan, then what guards the workspace, then the cage.
    ///
    /// Another run in the same workspace may take its placeholders away between the plan and the cage, so a
    /// mask that found nothing is a reason to plan again, a few times. Where the kernel refuses an overlay,
    /// the next attempt makes whole copies.
    ///
    /// @param planned hears what the cage will be, each time that it is planned
    /// @throws IOException if the workspace could not be guarded; nothing is left
    static StandingCage build(
            Session session, CagePlan plan, RunRequest request, RuntimeSource source, Consumer<CageSpec> planned)
            throws IOException, ConfinementException {
        Optional<String> noOverlay = Optional.empty();
        for (int attempt = 1; ; attempt++) {
            var copies = RunCopies.make(owner(session), plan.copied(), noOverlay);
            var guard = WorkspaceGuard.put(session, request, plan, copies);
            try {
                return raise(
                        session,
                        plan.with(copies),
                        new Guards(guard, copies, session.hereOf(request)),
                        request,
                        new Building(source, planned));
            } catch (ConfinementException e) {
                guard.close();
                copies.discard();
                boolean isOverlays = e.step().equals("overlay") && noOverlay.isEmpty();
                if (attempt == PLANS || !(isOverlays || e.step().equals("masks"))) {
                    throw e;
                }
                noOverlay = isOverlays ? Optional.of(String.valueOf(e.getMessage())) : noOverlay;
            } catch (RuntimeException e) {
                guard.close();
                throw e;
            }
        }
    }

    private record Building(RuntimeSource source, Consumer<CageSpec> planned) {}

    private static RunCopies.Owner owner(Session session) {
        return new RunCopies.Owner(
                session.id().value(), session.folder(), session.terms().copies());
    }

    private static StandingCage raise(
            Session session, CagePlan plan, Guards guards, RunRequest request, Building building)
            throws ConfinementException {
        var spec = guards.workspace().over(plan.spec());
        building.planned().accept(spec);
        var secrets = request.secrets();
        var guide = new RunGuide(guide(session, secrets));
        var closing = new ArrayDeque<Runnable>();
        try {
            var shared = session.shared();
            closing.addFirst(shared::removeEmpty);
            var trust = RunTrust.of(shared, session.authority(), spec);
            closing.addFirst(trust::close);
            var home = RunHome.of(shared, secrets, session.terms().net().policy());
            closing.addFirst(home::close);
            var counter = TokenCounter.of(shared, session.handedOn());
            closing.addFirst(counter::close);
            var signing = session.signing(Optional.ofNullable(request.caller().get(SigningSocket.VARIABLE)));
            closing.addFirst(signing::close);
            var runtime = building.source().start();
            closing.addFirst(runtime::close);
            var cage = runtime.create(guide.over(signing.over(counter.over(home.over(trust.over(spec))))));
            closing.addFirst(cage::close);
            guards.workspace().follow(cage);
            var door = CageDoor.open(cage, session.ground(secrets));
            closing.addFirst(door::close);
            var published = Publications.open(cage, session.published(), session.gate(), session.journal());
            closing.addFirst(published::close);
            counter.open(cage);
            signing.open(cage);
            var fittings = new Fittings(spec, trust, counter, signing, guide);
            return new StandingCage(session, plan, guards, fittings, new Raised(cage, door, published, closing));
        } catch (ConfinementException | RuntimeException e) {
            closing.forEach(Runnable::run);
            throw e;
        }
    }

    private static AgentsGuide guide(Session session, RunSecrets secrets) {
        var net = session.authority().isEmpty()
                ? AgentsGuide.Net.NONE
                : session.asking() == SessionDesk.Asking.POSSIBLE ? AgentsGuide.Net.ASKING : AgentsGuide.Net.ALLOWLIST;
        var variables = secrets.variables().keySet().stream().sorted().toList();
        return new AgentsGuide(net, session.terms().allowlist(), variables);
    }

    /// A door on the host into the cage's network, for requests of the host's own under the cage's terms; the caller
    /// closes it, before this.
    ///
    /// @throws ConfinementException if the cage has no network
    public HostDoor doorHere(LocalDoor here, BiConsumer<DecisionId, Action> hearer) throws ConfinementException {
        return door.here(here, session.overheard(hearer));
    }

    /// What a person should hear about it, each one sentence.
    public List<String> notices() {
        return published.with(guards.workspace().noticesWith(plan.notices()));
    }

    /// What it is made of, before anything was put into it for its programs.
    public CageSpec spec() {
        return fittings.spec();
    }

    /// Is its first process alive? One that died of a limit never comes back.
    public boolean isAlive() {
        return cage.isAlive();
    }

    /// Runs what `warrant` allows, waits for its end and records it. What it left running lives on.
    ///
    /// @param program as [Session#programOf] has it
    /// @param watcher hears of the program once it runs
    /// @throws UnrecordedOutcomeException if the outcome could not be recorded; carries how the program ended
    /// @throws IOException if the watcher could not stand beside it; the program is dead
    public RunOutcome run(Warrant warrant, Action.ProcExec program, RunRequest request, RunWatcher watcher)
            throws IOException, InterruptedException {
        RunOutcome outcome;
        try {
            var start = plan.startInside(session, program, request);
            watcher.planned(fittings.spec(), start.launch());
            var exit = exit(warrant, start, watcher);
            outcome = new RunOutcome.Ended(warrant.id(), exit, enforcement(), start.notices(), List.of());
        } catch (ProgramNotFoundException e) {
            outcome = new RunOutcome.NoProgram(warrant.id(), e.kind(), String.valueOf(e.getMessage()), List.of());
        } catch (ConfinementException e) {
            outcome = new RunOutcome.NoCage(warrant.id(), e, List.of());
        }
        session.record(warrant, program, outcome);
        return outcome;
    }

    /// Starts a program and waits for its end.
    Exit exit(Warrant warrant, CagePlan.Start start, RunWatcher watcher)
            throws IOException, InterruptedException, ConfinementException {
        var told = new ArrayList<>(notices());
        told.addAll(start.notices());
        watcher.starting(warrant, told);
        var run = cage.start(warrant, fitted(warrant, start.launch()));
        try (var _ = watcher.started(run)) {
            var exit = run.await();
            return watcher.ended()
                    .map(cause -> exit.because(cause, words(cause)))
                    .orElse(exit);
        }
    }

    private static String words(Exit.Cause cause) {
        return cause == Exit.Cause.TIMEOUT ? "its time was over" : "whoever asked for it took it back";
    }

    /// Does what `warrant` allows to one file, by the rules that hold for the cage's programs, and records it.
    ///
    /// @param act its path as policies have it, and as the warrant has it
    /// @throws ConfinementException if the cage could not do it; that is on record
    /// @throws IOException if the outcome could not be recorded
    public FileActed act(Warrant warrant, FileAct act) throws ConfinementException, IOException, InterruptedException {
        var action = FileExhibit.actionOf(act);
        try {
            var acted = cage.act(warrant, act.at(CageLayout.placed(act.path(), here)));
            session.journal().outcome(warrant.id(), action, ActedJson.of(acted));
            return acted;
        } catch (ConfinementException e) {
            session.journal().outcome(warrant.id(), action, ActedJson.of(e));
            throw e;
        }
    }

    /// How many processes live in it, the first one aside.
    public long processes() {
        return cage.snapshot().processes();
    }

    /// Kills every program in it; the cage stands on.
    ///
    /// @throws ConfinementException if it is gone
    public void clear() throws ConfinementException {
        cage.clear();
    }

    /// Nothing is mounted for a program that runs without a cage.
    private Launch fitted(Warrant warrant, Launch launch) {
        var fitted =
                fittings.signing().over(fittings.counter().over(fittings.trust().over(launch, cage)));
        return warrant.allowed().because().contains(Rules.UNISOLATED)
                ? fitted
                : fittings.guide().over(fitted, fittings.spec());
    }

    /// Looks after what it holds and by what right, until the answer is closed or the cage is.
    Watching watched() {
        var copies = guards.copies().watch(cage, OwnConfigs.folder(session.shared()));
        var token = TokenWatch.begin(session.terms().token(), this::cut);
        return () -> {
            token.close();
            copies.close();
        };
    }

    /// Somebody who looks after a cage.
    @FunctionalInterface
    interface Watching extends AutoCloseable {
        @Override
        void close();
    }

    /// A session whose token is worth nothing any more is over: nothing new is let through, what is under way is ended,
    /// and no process of it goes on.
    private void cut(Verification.Refused why) {
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

    /// What really holds.
    public Enforcement enforcement() {
        var held = cage.enforcement();
        var gaps = new ArrayList<>(held.gaps());
        gaps.addAll(session.terms().gaps());
        return guards.copies().reported(new Enforcement(held.enforced(), gaps));
    }

    /// No program ran in it: takes it down, and its copies.
    void abandon() throws IOException {
        close();
        guards.copies().discard();
    }

    /// Ends whatever lives in it, then takes it down: the guard is lifted only when nothing of the cage lives any more.
    ///
    /// @return what a person should hear about what it left, each one sentence
    public List<String> end() {
        takeDown();
        session.spent(door.spent());
        var afterwards = new ArrayList<>(unrecorded());
        cutBy.get().ifPresent(why -> afterwards.add("the run was ended: " + why));
        afterwards.addAll(lifted());
        afterwards.addAll(PivotReport.told(session.folder()));
        afterwards.addAll(guards.copies().ended());
        return afterwards;
    }

    private synchronized void takeDown() {
        if (!isOver) {
            isOver = true;
            closing.forEach(Runnable::run);
        }
    }

    private List<String> unrecorded() {
        return door.unrecorded() == 0
                ? List.of()
                : List.of("the audit log could not be told how " + door.unrecorded()
                        + " requests or connections ended; it has that they were allowed");
    }

    /// Programs have run by now, so what cannot be looked at is told and nothing else.
    private List<String> lifted() {
        try {
            return guards.workspace().lift();
        } catch (IOException e) {
            return List.of("the workspace could not be looked at after the run: " + e.getMessage());
        }
    }

    /// Takes it down without a look at what it left.
    @Override
    public void close() throws IOException {
        takeDown();
        guards.workspace().close();
    }

    /// An empty directory that stands in where a policy grants no workspace. The cage sees it read-only.
    record Scratch(Path path) implements AutoCloseable {
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
