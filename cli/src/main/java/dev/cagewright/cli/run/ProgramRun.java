package dev.cagewright.cli.run;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.summary.RunSummary;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.token.TokenJudge;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.sandbox.unisolated.UnisolatedRuntime;
import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.credentials.StoredSecrets;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.receipt.issue.KeyAhead;
import dev.cagewright.supervisor.receipt.issue.Receipts;
import dev.cagewright.supervisor.scaffold.AgentStart;
import dev.cagewright.supervisor.session.CageTerms;
import dev.cagewright.supervisor.session.DenialReport;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.RunRequest;
import dev.cagewright.supervisor.session.RunWatcher;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.session.SessionRecording;
import dev.cagewright.supervisor.session.UnavailableLogException;
import dev.cagewright.supervisor.setup.SetupPhase;
import dev.cagewright.supervisor.state.OwnFiles;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.token.TokenJson;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One program's run, from the choice of its policy to the end on record: the one way in which a program comes to run
/// in a cage of its own and behind this process. May be run again; each run has a session of its own.
public final class ProgramRun {
    private final Console console;
    private final StateFolders folders;
    private final RunOptions options;
    private final Subject subject;

    /// @param options as somebody gave them
    public ProgramRun(Console console, StateFolders folders, RunOptions options, Subject subject) {
        this.console = console;
        this.folders = folders;
        this.options = options;
        this.subject = subject;
    }

    /// What runs, and who stands beside it.
    public interface Subject {
        /// The agent that it is, where it is one by name.
        Optional<AgentStart> agent();

        /// Its words.
        ///
        /// @throws IllegalArgumentException if there are none
        List<ByteString> command(PolicyInForce policy) throws IOException;

        /// The variables of whoever wants it to run.
        Map<ByteString, ByteString> caller() throws IOException;

        /// What it reads and writes; asked for once a run, before the program is judged.
        ///
        /// @param secrets what the run is lent; closed when it is over
        RunStreams streams(Session session, PolicyInForce policy, RunSecrets secrets);

        /// The ways to a person whom the policy wants asked.
        List<Asker> askers();

        /// Whoever hands on to it what the person does; closed at its end.
        Steers steers(RunStreams streams);

        /// Its terms, where they are not just the policy's.
        default CageTerms terms(PolicyInForce policy) {
            return policy.terms();
        }
    }

    /// Whoever stands beside a program from before it starts to its end.
    public interface Steers extends AutoCloseable {
        /// It is about to run.
        void ready();

        /// It runs.
        ///
        /// @return closed when it has ended
        RunWatcher.Watch of(Run run);

        /// It has ended, or never came to run.
        @Override
        void close();
    }

    /// Runs it and returns the exit code.
    public int run(StoredSecrets secrets)
            throws IOException, PolicySyntaxException, BadPolicyException, InterruptedException {
        int code = ran(secrets);
        new ScheduledCheckpoint(console, folders).ifDue(chosenLog());
        return code;
    }

    /// Judges it and runs nothing.
    int judged(StoredSecrets secrets)
            throws IOException, PolicySyntaxException, BadPolicyException, InterruptedException {
        return in(new PolicyChoice(folders, secrets, subject.agent()).of(options), this::judge);
    }

    /// What takes long and depends on no decision begins before anything is read, on threads of its own.
    private int ran(StoredSecrets secrets)
            throws IOException, PolicySyntaxException, BadPolicyException, InterruptedException {
        var key = KeyAhead.begin(folders);
        try (var cages = cages()) {
            var chosen = new PolicyChoice(folders, secrets, subject.agent()).of(options);
            var policy = chosen.inForce();
            try (var lent = secrets.lent(policy.effective())) {
                requireNotIn(lent, subject.command(policy));
                return in(
                        chosen,
                        (session, _, view, token) -> run(session, policy, view, new Begun(key, cages, lent, token)));
            }
        }
    }

    private record Begun(KeyAhead key, CageAhead cages, RunSecrets secrets, TokenChoice token) {}

    private CageAhead cages() {
        return options.unsafeNoIsolation()
                ? CageAhead.none(UnisolatedRuntime::start)
                : CageAhead.begin(NamespacesRuntime::startForOne, NamespacesRuntime::start);
    }

    /// Something done in an open session.
    @FunctionalInterface
    private interface Deed {
        int in(Session session, PolicyInForce policy, RunView view, TokenChoice token)
                throws IOException, InterruptedException;
    }

    private int in(PolicyChoice.Chosen chosen, Deed deed) throws IOException, InterruptedException {
        var id = SessionId.random(new SecureRandom());
        var policy = chosen.inForce();
        var place = new Session.Place(folders.session(id), new OwnFiles(folders, auditLog(), policy.files()));
        var view = view(policy, learning(id, chosen), summary(id));
        try (var token = TokenChoice.of(options.token(), folders);
                var session = Session.open(id, terms(policy, token), place, policy::reasons, subject.askers())) {
            noteToken(session, token);
            noteLearning(session);
            session.publish(options.publish());
            if (!options.unsafeNoIsolation()) {
                token.handOn(session);
            }
            return deed.in(session, policy, view, token);
        } catch (UnavailableLogException e) {
            view.refused(DenialReport.withoutLog(String.valueOf(e.getMessage())));
            return ExitCode.DENIED.code();
        }
    }

    private Learning learning(SessionId id, PolicyChoice.Chosen chosen) {
        return chosen.written()
                .<Learning>map(written -> new Learning.On(console, folders, id, written))
                .orElseGet(Learning.Off::new);
    }

    private RunView view(PolicyInForce policy, Learning learning, Optional<RunSummary> summary) {
        return options.json()
                ? new RunJson(console, policy, learning, summary)
                : new RunText(console, policy, options.voice(), learning, summary);
    }

    /// Behind an agent's screen, and wherever it is asked for.
    private Optional<RunSummary> summary(SessionId id) {
        return subject.agent().isPresent() || options.summary()
                ? Optional.of(new RunSummary(console, folders, id))
                : Optional.empty();
    }

    private CageTerms terms(PolicyInForce policy, TokenChoice token) {
        var own = subject.terms(policy);
        var terms = options.copy() ? own.withCopiedWorkspace() : own;
        return token.judge().map(terms::under).orElse(terms);
    }

    /// Which token it is under, so that the log says on whose authority things were done. A log that takes no note
    /// takes no intent either: then the gate denies, and says why.
    static void noteToken(Session session, TokenChoice choice) {
        try {
            var token = choice.judge().flatMap(TokenJudge::token);
            if (token.isPresent()) {
                session.note("token.presented", TokenJson.of(token.get()));
            }
        } catch (IOException _) {
            return;
        }
    }

    /// Like [#noteToken].
    private void noteLearning(Session session) {
        try {
            if (options.learn()) {
                session.note("run.learning", JsonObject.EMPTY);
            }
        } catch (IOException _) {
            return;
        }
    }

    private Optional<SetupPhase> setup(Session session, PolicyInForce policy, TokenChoice token) {
        return policy.setup()
                .map(setup ->
                        new SetupPhase(session.under(terms(setup.policy(), token), setup.policy()::reasons), setup));
    }

    private int judge(Session session, PolicyInForce policy, RunView view, TokenChoice token) throws IOException {
        var request = request(policy, Streams.Pipes.discarding(), RunSecrets.NONE);
        var program = session.programOf(request);
        return view.judged(program, session.gate().judge(program)).code();
    }

    private int run(Session session, PolicyInForce policy, RunView view, Begun begun)
            throws IOException, InterruptedException {
        var streams = subject.streams(session, policy, begun.secrets());
        var request = request(policy, streams.streams(), begun.secrets());
        var store = new SessionStore(folders);
        var recording = SessionRecording.begin(store, session, policy, session.programOf(request));
        tellInterrupted(console, session);
        session.noteLent(begun.secrets());
        if (subject.agent().isPresent()) {
            subject.agent().get().seed(folders, begun.secrets()).forEach(why -> console.say(Visible.text(why)));
        }
        var receipts = Receipts.of(session, policy, folders, begun.key());
        var around = new RunExecution.Around(view, subject::steers, setup(session, policy, begun.token()));
        return new RunExecution(session, begun.cages(), receipts, around).run(request, streams, recording);
    }

    /// A log that takes no outcome of theirs takes no intent either: then the gate denies, and says why.
    static void tellInterrupted(Console console, Session session) {
        try {
            session.interrupted().forEach(one -> console.say(Visible.text(one.sentence())));
        } catch (IOException e) {
            console.say(Visible.text("runs that were interrupted could not be looked for: " + e.getMessage()));
        }
    }

    /// The words are in the log, in the list of processes and in the cage.
    private static void requireNotIn(RunSecrets secrets, List<ByteString> words) {
        secrets.shownIn(words).ifPresent(name -> {
            throw new IllegalArgumentException("the command line holds the value of " + name + ", so nothing runs"
                    + " (expected: the variable that holds its decoy in the cage, read there)");
        });
    }

    private RunRequest request(PolicyInForce policy, Streams streams, RunSecrets secrets) throws IOException {
        var agent = subject.agent();
        var caller = subject.caller();
        return new RunRequest(
                subject.command(policy),
                options.workspacePath(),
                agent.map(start -> start.caller(caller)).orElse(caller),
                streams,
                secrets,
                agent.map(AgentStart::path).orElse(List.of()),
                Launch.Leftovers.LIVE_ON);
    }

    private Path auditLog() throws IOException {
        var chosen = chosenLog();
        return chosen.isPresent() ? chosen.get() : folders.auditLog();
    }

    private Optional<Path> chosenLog() {
        return options.audit().map(log -> Path.of(log).toAbsolutePath().normalize());
    }
}
