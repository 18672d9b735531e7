package dev.cagewright.supervisor.resident;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.supervisor.approval.Watchers;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.credentials.SecretWish;
import dev.cagewright.supervisor.credentials.StoredSecrets;
import dev.cagewright.supervisor.fetch.FetchWish;
import dev.cagewright.supervisor.fetch.HostFetch;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.notice.DesktopNotice;
import dev.cagewright.supervisor.notice.WebhookAsker;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.receipt.RunEnd;
import dev.cagewright.supervisor.resident.LivingProgram.Farewell;
import dev.cagewright.supervisor.resident.caller.Callers;
import dev.cagewright.supervisor.resident.caller.Callers.Caller;
import dev.cagewright.supervisor.resident.caller.Onlooker;
import dev.cagewright.supervisor.resident.log.RollingLog;
import dev.cagewright.supervisor.session.DenialReport;
import dev.cagewright.supervisor.session.RunRequest;
import dev.cagewright.supervisor.session.RuntimeSource;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.session.StandingCage;
import dev.cagewright.supervisor.session.UnavailableLogException;
import dev.cagewright.supervisor.session.UnrecordedOutcomeException;
import dev.cagewright.supervisor.setup.SetupPhase;
import dev.cagewright.supervisor.state.OwnFiles;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// A named cage that is up: a session, a cage that stands, and the programs in it. Safe for all threads.
final class LivingCage {
    /// What programs have to clear up when their cage goes down.
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /// What recording their ends may take.
    private static final Duration RECORDING = Duration.ofSeconds(10);

    /// What somebody else's taking it down may take.
    private static final Duration FOR_ANOTHER = Duration.ofMinutes(1);

    private static final String SETUP_FAILED = "setup-failed";

    private static final SetupPhase.Codes SETUP_CODES =
            new SetupPhase.Codes(outcome -> Ends.of(outcome).code(), _ -> Ends.DENIED);

    private final Groundwork ground;
    private final Session session;
    private final RunSecrets secrets;
    private final StandingCage standing;
    private final Chronicle chronicle;
    private final Callers callers;
    private final Instant since = InstantSource.system().instant();
    private final Map<ByteString, ByteString> caller;

    /// As they were wished for.
    private final List<SecretWish> lent;

    private final List<String> told;

    /// What has to be closed with it, in this order.
    private final Deque<Closeable> held;

    private final Set<LivingProgram> programs = new HashSet<>();
    private final Set<LivingFetch> fetches = new HashSet<>();
    private volatile String own = "";
    private boolean isGoing;
    private boolean isDown;
    private List<String> afterwards = List.of();

    private LivingCage(Making making, Opened opened, StandingCage standing, List<String> told) {
        this.ground = making.ground();
        this.caller = making.order().caller();
        this.lent = Stream.concat(making.order().secrets().stream(), ground.cage().secrets().stream())
                .toList();
        this.session = opened.session();
        this.secrets = opened.secrets();
        this.chronicle = opened.chronicle();
        this.callers = opened.callers();
        this.held = opened.held();
        this.standing = standing;
        this.told = List.copyOf(told);
    }

    /// A session before its cage.
    private record Opened(
            Session session, RunSecrets secrets, Chronicle chronicle, Callers callers, Deque<Closeable> held) {}

    /// Brings one up. When it is, its own program, if it has one, is about to start.
    ///
    /// @param runtime gives the supervisor's own
    /// @param onlooker hears of its set-up, if it has one
    /// @throws RefusedException if it is not to be had, with why
    static LivingCage up(StateFolders folders, UpOrder order, RuntimeSource runtime, Onlooker onlooker)
            throws IOException, PolicySyntaxException, BadPolicyException {
        var told = new ArrayList<String>();
        var held = new ArrayDeque<Closeable>();
        try {
            var stored = new StoredSecrets(folders, new Unattended(told::add));
            held.addFirst(stored::close);
            var ground = Groundwork.of(folders, order, stored);
            var making = new Making(order, ground, runtime, onlooker);
            return stood(folders, making, opened(folders, ground, stored, held), told);
        } catch (UnavailableLogException e) {
            closeAll(held);
            throw RefusedException.denied(DenialReport.withoutLog(String.valueOf(e.getMessage())));
        } catch (IOException | PolicySyntaxException | BadPolicyException | RuntimeException e) {
            closeAll(held);
            throw e;
        }
    }

    private record Making(UpOrder order, Groundwork ground, RuntimeSource runtime, Onlooker onlooker) {}

    private static LivingCage stood(StateFolders folders, Making making, Opened opened, List<String> told)
            throws IOException {
        var session = opened.session();
        var name = making.order().name();
        try {
            session.interrupted().forEach(one -> told.add(one.sentence()));
            told.addAll(session.interrupted(LastSession.all(folders)));
            told.addAll(furnished(folders, making.ground(), opened.secrets()));
            session.noteLent(opened.secrets());
            opened.chronicle().up(name);
            var request = making.ground()
                    .request(List.of(), making.order().caller(), Streams.Pipes.discarding(), opened.secrets());
            setUp(making, opened, request);
            var standing = session.stand(request, making.runtime());
            told.addAll(standing.notices());
            opened.chronicle().witness().stands(standing.spec(), standing.enforcement());
            return new LivingCage(making, opened, standing, told);
        } catch (ConfinementException e) {
            var why = "no cage: " + e.getMessage() + " (remedy: " + e.remedy() + ")";
            var end = RunEnd.noCage(String.valueOf(e.getMessage()), Ends.FAILED);
            opened.chronicle().neverUp("no-cage", end);
            throw new RefusedException(why, Ends.FAILED);
        } catch (RefusedException refused) {
            throw refused;
        } catch (IOException | RuntimeException e) {
            opened.chronicle().neverUp("failed", RunEnd.noCage(String.valueOf(e.getMessage()), Ends.FAILED));
            throw e;
        }
    }

    /// Has the policy's set-up run, if it has one.
    ///
    /// @throws RefusedException if it did not go well
    private static void setUp(Making making, Opened opened, RunRequest request) throws IOException {
        var policy = making.ground().policy();
        if (policy.setup().isEmpty()) {
            return;
        }
        var setup = policy.setup().get();
        var onlooker = making.onlooker();
        onlooker.told(List.of(
                "set-up: " + ByteString.of(String.join(" ", setup.command())).printable()));
        var session = opened.session().under(setup.policy().terms(), setup.policy()::reasons);
        var witness = opened.chronicle().witness().whole();
        try (var _ = opened.callers().on(onlooker.caller())) {
            var result = new SetupPhase(session, setup)
                    .run(
                            request,
                            new Streams.Pipes(Streams.Pipes.discarding().in(), onlooker.output(), onlooker.output()),
                            (warrant, own, seen) ->
                                    session.run(warrant, own, making.runtime(), seen.apply(onlooker.watcher())),
                            SETUP_CODES,
                            witness);
            switch (result) {
                case SetupPhase.Result.Ready _ -> {}
                case SetupPhase.Result.Failed failed -> {
                    opened.chronicle().neverUp(SETUP_FAILED, RunEnd.notBegun(failed.why(), failed.code()));
                    throw notSetUp(making.order().name(), failed);
                }
                case SetupPhase.Result.Denied denied -> {
                    opened.chronicle().neverUp(SETUP_FAILED, RunEnd.notBegun(denied.why(), denied.code()));
                    throw RefusedException.denied(setup.policy().report(denied.denied()));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static RefusedException notSetUp(String name, SetupPhase.Result.Failed failed) {
        var words = new ArrayList<String>();
        words.add(name + " is not up: " + failed.why());
        words.addAll(Ends.of(failed.outcome()).told());
        return new RefusedException(String.join("\n", words), failed.code());
    }

    private static Opened opened(StateFolders folders, Groundwork ground, StoredSecrets stored, Deque<Closeable> held)
            throws IOException, UnavailableLogException {
        var id = SessionId.random(new SecureRandom());
        var policy = ground.policy();
        var place = new Session.Place(folders.session(id), new OwnFiles(folders, folders.auditLog(), policy.files()));
        var callers = new Callers();
        var askers =
                List.of(callers, new Watchers(folders), new WebhookAsker(folders), new DesktopNotice(System.getenv()));
        var secrets = stored.lent(policy.effective());
        held.addFirst(secrets::close);
        var session = Session.open(id, policy.terms(), place, policy::reasons, askers);
        held.addFirst(session::close);
        session.publish(ground.cage().publish());
        var here = session.hereOf(ground.request(List.of(), Map.of(), Streams.Pipes.discarding(), secrets));
        return new Opened(session, secrets, Chronicle.begin(folders, session, ground, here), callers, held);
    }

    /// Its home, with an agent's files.
    private static List<String> furnished(StateFolders folders, Groundwork ground, RunSecrets secrets)
            throws IOException {
        if (ground.agent().isPresent()) {
            return ground.agent().get().seed(folders, secrets);
        }
        folders.makeHome(ground.home().folder());
        return List.of();
    }

    private static void closeAll(Deque<Closeable> held) {
        for (Closeable one : held) {
            try {
                one.close();
            } catch (IOException _) {
                // the next one all the same
            }
        }
    }

    String name() {
        return ground.cage().name();
    }

    SessionId session() {
        return session.id();
    }

    /// What a person should hear of its coming up, each one sentence.
    List<String> told() {
        return told;
    }

    CageState state() {
        long running;
        synchronized (this) {
            running = programs.size();
        }
        return new CageState(
                name(),
                session.id().value(),
                since,
                running,
                own,
                session.trace().denied());
    }

    boolean isAlive() {
        return standing.isAlive();
    }

    /// Starts its own program, if its policy names one, on a thread of its own.
    ///
    /// @param file gets what it writes
    /// @throws IOException if that cannot be written
    void startOwn(Path file) throws IOException {
        var command = ground.policy().command();
        if (command.isEmpty()) {
            return;
        }
        own = "starts";
        var log = RollingLog.open(file);
        var words = command.get().stream().map(ByteString::of).toList();
        Thread.ofVirtual().name("own-program").start(() -> {
            try (log) {
                var streams = new Streams.Pipes(Streams.Pipes.discarding().in(), log, log);
                var program =
                        new LivingProgram(Farewell.TERMINATE, Optional.empty(), (_, _) -> own = "runs", Caller.NOBODY);
                own = "ended with "
                        + run(ground.request(words, caller, streams, secrets), program)
                                .code();
            } catch (RefusedException e) {
                own = "refused: " + e.getMessage();
            } catch (IOException e) {
                own = "failed: " + e.getMessage();
            }
        });
    }

    /// Whoever wants it up gets it as it is, unless they want it lent more than it is.
    ///
    /// @throws RefusedException if they do
    void requireWhatIsWanted(UpOrder order) throws RefusedException {
        var more = order.secrets().stream()
                .filter(wish -> !lent.contains(wish))
                .map(SecretWish::name)
                .toList();
        if (!more.isEmpty()) {
            throw new RefusedException(
                    name() + " is up already, since " + since + ", and not lent " + String.join(", ", more)
                            + " in this way (expected: cagewright restart " + name() + " with the same options)",
                    Ends.USAGE);
        }
    }

    /// What its files say now that they did not say when it came up, each one sentence.
    List<String> changedSince(StateFolders folders) {
        try {
            boolean isSame = NamedCages.of(folders).find(name()).equals(ground.cage())
                    && ground.policy().layers().isAsRead();
            return isSame ? List.of() : List.of("its files have changed since: cagewright restart " + name());
        } catch (IOException | PolicySyntaxException e) {
            return List.of("its files could not be read: " + e.getMessage());
        }
    }

    /// One more program, which has not started.
    ///
    /// @param starting hears of it, when it is about to
    /// @param caller who wants it
    LivingProgram program(Farewell farewell, LivingProgram.Starting starting, Caller caller) {
        return new LivingProgram(
                farewell,
                ground.policy().effective().resources().timeout().map(time -> time.value()),
                starting,
                caller);
    }

    /// The most that one program writes to whoever asked for it, bytes.
    long mostOutput() {
        return ground.policy()
                .effective()
                .resources()
                .output()
                .map(size -> size.bytes())
                .orElse(Long.MAX_VALUE);
    }

    /// Runs what somebody asks for, and waits for its end.
    ///
    /// @param program of [#program]
    /// @throws RefusedException if it is denied, or the cage goes down
    Ends exec(ExecOrder order, Streams streams, LivingProgram program) throws IOException {
        return run(ground.request(ground.words(order.argv()), order.caller(), streams, secrets), program);
    }

    /// One request of the host's own under its terms, which has not begun.
    LivingFetch fetch(FetchWish wish) {
        return new LivingFetch(wish, new LivingFetch.Cage(session, standing, secrets, ground.policy()));
    }

    /// Makes a request, and waits for its end.
    ///
    /// @param fetch of [#fetch]
    /// @param out where an origin's body goes as it comes
    /// @throws RefusedException if it is denied, or the cage goes down
    HostFetch.Ended fetched(LivingFetch fetch, Optional<byte[]> body, OutputStream out) throws IOException {
        enter(() -> fetches.add(fetch));
        try {
            return fetch.make(body, out);
        } finally {
            leave(() -> fetches.remove(fetch));
        }
    }

    private Ends run(RunRequest request, LivingProgram living) throws IOException {
        enter(() -> programs.add(living));
        try {
            requireNoSecretIn(request);
            var program = session.programOf(request);
            var warrant = passed(program, request, living);
            chronicle.witness().allowed(warrant, program);
            var outcome =
                    standing.run(warrant, program, request, chronicle.witness().before(living));
            chronicle.witness().ended(outcome);
            var ends = Ends.of(outcome);
            return living.isLate() ? ends.late() : ends;
        } catch (DeniedException denied) {
            throw RefusedException.denied(ground.policy().report(denied));
        } catch (UnrecordedOutcomeException e) {
            chronicle.witness().ended(e.outcome());
            return Ends.of(e.outcome()).and("unrecorded: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            leave(() -> programs.remove(living));
        }
    }

    /// Whoever asked for it hears when a person has to approve it first.
    private Warrant passed(Action.ProcExec program, RunRequest request, LivingProgram living) throws DeniedException {
        try (var _ = callers.on(living.caller())) {
            return session.pass(program, request);
        }
    }

    /// The words are in the log, in the list of processes and in the cage.
    private void requireNoSecretIn(RunRequest request) throws RefusedException {
        var shown = secrets.shownIn(request.argv());
        if (shown.isPresent()) {
            throw new RefusedException(
                    "the command line holds the value of " + shown.get() + ", so nothing runs (expected: the variable"
                            + " that holds its decoy in the cage, read there)",
                    Ends.USAGE);
        }
    }

    private synchronized void enter(Runnable entering) throws RefusedException {
        if (isGoing) {
            throw new RefusedException(
                    name() + " goes down (expected: cagewright up " + name() + " again)", Ends.FAILED);
        }
        entering.run();
    }

    private synchronized void leave(Runnable leaving) {
        leaving.run();
        notifyAll();
    }

    private synchronized boolean isEmptyWithin(Duration patience) {
        return within(patience, () -> programs.isEmpty() && fetches.isEmpty());
    }

    /// Waits on this.
    private boolean within(Duration patience, BooleanSupplier what) {
        long end = System.nanoTime() + patience.toNanos();
        try {
            while (!what.getAsBoolean()) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return what.getAsBoolean();
        }
    }

    /// Takes it down. When it returns, no process of it lives, whoever asked first.
    ///
    /// @param state for its record, one word
    /// @return what a person should hear of what it left, each one sentence
    List<String> down(String state) {
        synchronized (this) {
            if (isGoing) {
                within(FOR_ANOTHER, () -> isDown);
                return afterwards;
            }
            isGoing = true;
            programs.forEach(LivingProgram::dismiss);
            fetches.forEach(LivingFetch::leave);
        }
        session.askNoMore();
        chronicle.prepare();
        isEmptyWithin(PATIENCE);
        var heard = new ArrayList<>(standing.end());
        isEmptyWithin(RECORDING);
        heard.addAll(chronicle.down(name(), state, List.copyOf(heard)));
        closeAll(held);
        synchronized (this) {
            afterwards = List.copyOf(heard);
            isDown = true;
            notifyAll();
        }
        return afterwards;
    }
}
