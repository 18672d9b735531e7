package dev.cagewright.supervisor.session;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.egress.here.LocalDoor;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.policy.gate.Charge;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Gate;
import dev.cagewright.policy.gate.Judge;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.policy.quantity.PublishedPort;
import dev.cagewright.policy.token.TokenJudge;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.act.FileAct;
import dev.cagewright.sandbox.environment.CageEnvironment;
import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.approval.FileExhibit;
import dev.cagewright.supervisor.approval.ProgramExhibit;
import dev.cagewright.supervisor.approval.QuestionDesk;
import dev.cagewright.supervisor.budget.Meters;
import dev.cagewright.supervisor.budget.Spent;
import dev.cagewright.supervisor.capture.CaptureJudge;
import dev.cagewright.supervisor.capture.CaptureTerms;
import dev.cagewright.supervisor.capture.SessionCapture;
import dev.cagewright.supervisor.counter.HeldToken;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.desk.Recall;
import dev.cagewright.supervisor.desk.SessionDesk;
import dev.cagewright.supervisor.grant.GrantDesk;
import dev.cagewright.supervisor.grant.GrantedPolicy;
import dev.cagewright.supervisor.grant.LiveGrants;
import dev.cagewright.supervisor.grant.SessionGrants;
import dev.cagewright.supervisor.journal.ActedJson;
import dev.cagewright.supervisor.journal.AuditJournal;
import dev.cagewright.supervisor.journal.JournalTrace;
import dev.cagewright.supervisor.journal.Overheard;
import dev.cagewright.supervisor.net.CageDoor;
import dev.cagewright.supervisor.net.Tightening;
import dev.cagewright.supervisor.recovery.InterruptedRuns;
import dev.cagewright.supervisor.recovery.Interruption;
import dev.cagewright.supervisor.signing.SigningSocket;
import dev.cagewright.supervisor.state.OwnFiles;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionLife;
import dev.cagewright.supervisor.state.SharedFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/// Terms in force, a log, and the one gate between them. Owns the log; whoever opens a session closes it.
/// Safe for all threads.
public final class Session implements AutoCloseable {
    private static final GuestPath HOME = new GuestPath(CageEnvironment.HOME);

    private final SessionId id;
    private final CageTerms terms;
    private final AuditLog log;
    private final AuditJournal journal;
    private final List<Judge> inForce;
    private final Gate gate;
    private final Place place;
    private final SessionLife life;
    private final Meters meters;
    private final LiveGrants granted = new LiveGrants();
    private final Tightening tightening = new Tightening(granted);
    private final Optional<CageAuthority> authority;
    private final Optional<SessionCapture> capture;
    private final List<Asker> askers;
    private final QuestionDesk questions;
    private final SessionGrants grants;
    private final Recall recall;
    private volatile List<Spent> spent = List.of();
    private volatile Optional<HeldToken> handedOn = Optional.empty();
    private volatile List<PublishedPort> published = List.of();

    private Session(SessionId id, CageTerms terms, Place place, Held held, AuditJournal journal) {
        this.life = held.life();
        this.place = place;
        this.meters = new Meters(place.own().folders(), InstantSource.system());
        this.id = id;
        this.terms = terms;
        this.log = held.log();
        this.journal = journal;
        this.authority = terms.net().isOpen() ? Optional.of(CageAuthority.create(id.value())) : Optional.empty();
        this.capture = CaptureTerms.of(terms.net().policy())
                .map(kept -> new SessionCapture(id.value(), held.captures(), kept));
        this.askers = held.askers();
        this.questions = new QuestionDesk(new QuestionDesk.Place(place.folder(), terms.name()), journal, askers);
        var grantable = Optional.of(terms.net().policy())
                .filter(_ -> terms.net().setUps().isEmpty());
        this.grants =
                new SessionGrants(new SessionGrants.Place(place.folder(), grantable), journal, questions, granted);
        this.recall = new Recall(journal);
        this.inForce = List.copyOf(tightening.over(judges()));
        this.gate = new Gate(inForce, questions, recall);
    }

    private List<Judge> judges() {
        var judges = new ArrayList<>(terms.everyJudge());
        judges.set(0, new GrantedPolicy(judges.getFirst(), terms.net().policy(), granted));
        capture.ifPresent(kept -> judges.add(new CaptureJudge(judges.removeLast(), kept)));
        return judges;
    }

    /// Opens a session in which nobody can be asked.
    ///
    /// @param reasons what is written down beside each verdict
    /// @throws UnavailableLogException if the log cannot be opened for appending; nothing may run
    public static Session open(SessionId id, CageTerms terms, Place place, AuditJournal.Reasons reasons)
            throws UnavailableLogException {
        return open(id, terms, place, reasons, List.of());
    }

    /// Opens the log first: without one nothing can be decided.
    ///
    /// @param reasons what is written down beside each verdict
    /// @param askers the ways to the person whom the policy wants asked
    /// @throws UnavailableLogException if the log cannot be opened for appending; nothing may run
    public static Session open(
            SessionId id, CageTerms terms, Place place, AuditJournal.Reasons reasons, List<Asker> askers)
            throws UnavailableLogException {
        try {
            var held = Held.of(place, askers);
            return new Session(id, terms, place, held, new AuditJournal(held.log(), id.value(), terms.name(), reasons));
        } catch (IOException e) {
            throw new UnavailableLogException(e);
        }
    }

    /// The same session, log and files under other terms: an earlier phase of it. The session itself is what has to
    /// be closed, and not this.
    ///
    /// @param reasons what is written down beside each verdict
    public Session under(CageTerms others, AuditJournal.Reasons reasons) {
        return new Session(
                id,
                others,
                place,
                new Held(life, log, folder().resolve(SessionCapture.SETUP), askers),
                journal.giving(reasons));
    }

    /// What a session has open from its start to its end.
    ///
    /// @param captures the folder for what is kept of the traffic
    private record Held(SessionLife life, AuditLog log, Path captures, List<Asker> askers) {
        static Held of(Place place, List<Asker> askers) throws IOException {
            var life = SessionLife.begin(place.folder());
            try {
                return new Held(life, AuditLog.open(place.auditLog(), InstantSource.system()), place.folder(), askers);
            } catch (IOException | RuntimeException e) {
                life.close();
                throw e;
            }
        }
    }

    /// Where a session keeps its things.
    ///
    /// @param folder its own folder, 0700
    /// @param own the product's files that no cage may change
    public record Place(Path folder, OwnFiles own) {
        public Path auditLog() {
            return own.auditLog();
        }
    }

    public SessionId id() {
        return id;
    }

    public CageTerms terms() {
        return terms;
    }

    /// The gate of this session; every action of it passes here.
    public Gate gate() {
        return gate;
    }

    public Place place() {
        return place;
    }

    Path folder() {
        return place.folder();
    }

    /// What its cage gets of the product.
    SharedFolder shared() {
        return new SharedFolder(place.own().folders(), folder());
    }

    /// One for all sessions of the person, beside their folders.
    Path placeholderLedger() {
        return folder().resolveSibling("placeholders");
    }

    /// How many actions were denied so far; a mere look-up does not count.
    public long denied() {
        return journal.denied();
    }

    /// What this session has put into the log so far.
    public JournalTrace trace() {
        return journal.trace();
    }

    /// Writes something worth knowing into the log.
    ///
    /// @param name of the event, not one that starts with `log.`
    /// @throws IOException if it may not survive a crash
    public void note(String name, JsonObject detail) throws IOException {
        journal.note(name, detail);
    }

    /// Writes down how an allowed act ended.
    ///
    /// @param id its decision
    /// @throws IOException if it may not survive a crash; the act has happened all the same
    public void outcome(DecisionId id, Action action, JsonObject detail) throws IOException {
        journal.outcome(id, action, detail);
    }

    /// Writes something worth knowing about a decision into the log.
    ///
    /// @throws IOException if it may not survive a crash
    public void note(DecisionId id, String name, JsonObject detail) throws IOException {
        journal.note(id, name, detail);
    }

    /// Signs what the cage sees instead of the origins' certificates; empty where it has no network.
    public Optional<CageAuthority> authority() {
        return authority;
    }

    CageDoor.Ground ground(RunSecrets secrets) {
        return ground(secrets, gate);
    }

    private CageDoor.Ground ground(RunSecrets secrets, Gate passed) {
        var token = terms.token().flatMap(TokenJudge::token);
        return new CageDoor.Ground(
                folder(),
                passed,
                journal,
                authority,
                terms.net(),
                meters,
                tightening,
                capture,
                secrets,
                token,
                grants,
                recall,
                asking());
    }

    /// Can anything come of asking for more, as things stand?
    SessionDesk.Asking asking() {
        boolean isPossible = terms.net().setUps().isEmpty()
                && (terms.net().grantsAnything() || askers.stream().anyMatch(Asker::reaches));
        return isPossible ? SessionDesk.Asking.POSSIBLE : SessionDesk.Asking.HOPELESS;
    }

    /// Where programs of this session ask for more than their policy allows.
    public GrantDesk grants() {
        return grants;
    }

    /// What is used of each budget after the last run; empty where there are none.
    public List<Spent> spent() {
        return spent;
    }

    void spent(List<Spent> all) {
        spent = List.copyOf(all);
    }

    /// The program is over: nothing of it waits for a person any more.
    public void askNoMore() {
        questions.end();
    }

    /// A door of its gateway on the host itself, for the host's own requests under these terms; the caller closes it.
    ///
    /// @param hearer is told of each decision at that door, and does not wait
    /// @throws ConfinementException if it cannot be opened
    public CageDoor doorHere(LocalDoor here, RunSecrets secrets, BiConsumer<DecisionId, Action> hearer)
            throws ConfinementException {
        return CageDoor.open(here, ground(secrets, overheard(hearer)));
    }

    /// The gate, with somebody who is told of each decision there, and does not wait.
    Gate overheard(BiConsumer<DecisionId, Action> hearer) {
        return new Gate(inForce, questions, new Overheard(recall, hearer));
    }

    /// Puts on record who was given which secret, for where. A log that takes no note takes no intent either, and the
    /// gate denies.
    public void noteLent(RunSecrets secrets) {
        var lent = secrets.lent();
        if (lent.isEmpty()) {
            return;
        }
        journal.lends(lent.stream().map(Credential::name).toList());
        try {
            var entries = lent.stream().map(Credential::toString).toList();
            note("secret.lent", Json.object().put("credentials", entries).build());
        } catch (IOException _) {
            return;
        }
    }

    /// Where a cage of this session has commits signed; nothing where the policy has no credential that signs.
    ///
    /// @param agent the socket of the person's ssh agent, as their environment names it
    SigningSocket signing(Optional<ByteString> agent) throws ConfinementException {
        var ground = new SigningSocket.Ground(shared(), gate, journal);
        return SigningSocket.of(ground, terms.net().policy().credentials(), agent);
    }

    /// Lets the cage of this session have narrower tokens made of the one that it is under.
    public void handOn(HeldToken token) {
        handedOn = Optional.of(token);
    }

    /// Has ports of this session's cages published.
    public void publish(List<PublishedPort> wishes) {
        published = List.copyOf(wishes);
    }

    List<PublishedPort> published() {
        return published;
    }

    Optional<HeldToken> handedOn() {
        return handedOn;
    }

    AuditJournal journal() {
        return journal;
    }

    /// Looks for runs of this log that were killed before their end was recorded, and records that.
    ///
    /// @return those that nobody told of before, oldest first
    /// @throws IOException if it cannot be recorded; the next session tells of them
    public List<Interruption> interrupted() throws IOException {
        return new InterruptedRuns(log, place.own().folders()).settle();
    }

    /// Looks for named cages that were up when their supervisor was killed, and records that.
    ///
    /// @param cages the last session of each
    /// @return what is told for the first time, each one sentence
    /// @throws IOException if it cannot be recorded; the next session tells of them
    public List<String> interrupted(List<SessionId> cages) throws IOException {
        var runs = new InterruptedRuns(log, place.own().folders());
        var told = new ArrayList<String>();
        for (SessionId cage : cages) {
            runs.settleCage(cage).ifPresent(told::add);
        }
        return told;
    }

    /// The action that starting `request`'s program is: a relative program is one of the working directory,
    /// which is the workspace where the terms grant it and the cage's home where they do not.
    ///
    /// @throws IllegalArgumentException if its words or its workspace cannot be an action; the message says why
    public Action.ProcExec programOf(RunRequest request) {
        var here = hereOf(request);
        var argv = new ArrayList<>(request.argv());
        if (!argv.isEmpty()) {
            argv.set(0, absolute(argv.getFirst(), here));
        }
        return new Action.ProcExec(argv, here);
    }

    /// Where `request`'s program finds itself.
    ///
    /// @throws IllegalArgumentException if its workspace cannot be a path of a cage
    public GuestPath hereOf(RunRequest request) {
        var workspace = request.workspace()
                .utf8()
                .orElseThrow(() -> new IllegalArgumentException("workspace: " + request.workspace()
                        + " is not UTF-8 (expected: a path in UTF-8; rename the directory)"));
        return terms.grantsWorkspace() ? GuestPath.canonical(workspace) : HOME;
    }

    private static ByteString absolute(ByteString program, GuestPath here) {
        if (!program.contains((byte) '/') || program.at(0) == '/') {
            return program;
        }
        return program.utf8()
                .map(path -> ByteString.of(here.child(path).value()))
                .orElseThrow(() -> new IllegalArgumentException(
                        "argv[0]: " + program + " is not UTF-8 (expected: a program's name in UTF-8)"));
    }

    /// Lets `request`'s program through the gate; a person who is asked sees all of it that counts. Under a token the
    /// cage's mounts have to be granted too.
    ///
    /// @param program as [#programOf] has it
    /// @throws DeniedException as [Gate#pass] does, for the program or for a mount
    public Warrant pass(Action.ProcExec program, RunRequest request) throws DeniedException {
        if (terms.token().isPresent() && !(gate.judge(program) instanceof Decision.Deny)) {
            for (Mount mount : terms.mounts()) {
                require(new Action.FsRead(mount.path()));
                if (mount.mode() == Mount.Access.RW) {
                    require(new Action.FsWrite(mount.path()));
                }
            }
        }
        for (PublishedPort wish : published) {
            require(new Action.NetPublish(wish.cage()));
        }
        return gate.pass(program, Charge.NOTHING, new ProgramExhibit(program, request.workspace(), request.caller()));
    }

    /// Lets one act on a file through the gate; a person who is asked sees what would be written.
    ///
    /// @param act its path as policies have it
    /// @throws DeniedException as [Gate#pass] does
    public Warrant pass(FileAct act) throws DeniedException {
        return gate.pass(FileExhibit.actionOf(act), Charge.NOTHING, new FileExhibit(act));
    }

    /// Records that there was no cage for a program that was allowed.
    ///
    /// @throws IOException if it could not be recorded
    public RunOutcome unbuilt(Warrant warrant, Action.ProcExec program, ConfinementException why) throws IOException {
        var outcome = new RunOutcome.NoCage(warrant.id(), why, List.of());
        record(warrant, program, outcome);
        return outcome;
    }

    /// Records that there was no cage for an act that was allowed.
    ///
    /// @throws IOException if it could not be recorded
    public void unbuilt(Warrant warrant, FileAct act, ConfinementException why) throws IOException {
        journal.outcome(warrant.id(), FileExhibit.actionOf(act), ActedJson.of(why));
    }

    /// What is granted is used by the kernel, again and again, and not put on record here.
    private void require(Action action) throws DeniedException {
        if (gate.judge(action) instanceof Decision.Deny) {
            gate.pass(action).spend();
        }
    }

    /// Runs what `warrant` allows in a fresh cage, waits for its end and records it.
    ///
    /// @param watcher hears of the program once it runs
    /// @throws UnrecordedOutcomeException if the outcome could not be recorded; carries how the program ended
    /// @throws IOException if the workspace could not be guarded; nothing ran
    public RunOutcome run(Warrant warrant, RunRequest request, RuntimeSource runtime, RunWatcher watcher)
            throws IOException, InterruptedException {
        return new CagedRun(this, runtime, watcher).run(warrant, request);
    }

    /// @throws UnrecordedOutcomeException if it could not be recorded
    void record(Warrant warrant, Action.ProcExec program, RunOutcome outcome) throws UnrecordedOutcomeException {
        try {
            journal.outcome(warrant.id(), program, outcome.toJson());
        } catch (IOException e) {
            throw new UnrecordedOutcomeException(outcome, e);
        }
    }

    /// Builds a cage in which nothing runs yet and that lasts until it is closed, which comes before the session is.
    ///
    /// @param request its workspace, its secrets, and who asks; its words and streams are of no account
    /// @throws ConfinementException if it could not be built; nothing is left
    public StandingCage stand(RunRequest request, RuntimeSource runtime) throws ConfinementException {
        return StandingCage.lasting(this, request, runtime);
    }

    @Override
    public void close() throws IOException {
        try (life;
                meters) {
            log.close();
        }
    }
}
