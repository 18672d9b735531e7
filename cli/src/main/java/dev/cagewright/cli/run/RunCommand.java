package dev.cagewright.cli.run;

import dev.cagewright.cli.CommandText;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.secret.TerminalPerson;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.token.TokenJudge;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.sandbox.terminal.Terminal;
import dev.cagewright.sandbox.unisolated.UnisolatedRuntime;
import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.approval.Watchers;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.credentials.StoredSecrets;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.receipt.issue.KeyAhead;
import dev.cagewright.supervisor.receipt.issue.Receipts;
import dev.cagewright.supervisor.session.CageTerms;
import dev.cagewright.supervisor.session.DenialReport;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.RunRequest;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.session.SessionRecording;
import dev.cagewright.supervisor.session.UnavailableLogException;
import dev.cagewright.supervisor.state.OwnFiles;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.token.TokenJson;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `cagewright run`: one program under policy, in a cage, on the record.
public final class RunCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;
    private final Words words;

    private final RunOptions options = new RunOptions();

    private final PositionalParamSpec argv = PositionalParamSpec.builder()
            .type(List.class)
            .auxiliaryTypes(String.class)
            .arity("0..1")
            .paramLabel("PROGRAM")
            .description("-- PROGRAM ARG...: what to run, taken byte for byte.")
            .build();

    /// The last words of the command line as bytes.
    @FunctionalInterface
    public interface Words {
        List<ByteString> last(int count) throws IOException;
    }

    public RunCommand(Console console, StateFolders folders, Words words) {
        this.console = console;
        this.folders = folders;
        this.words = words;
    }

    /// As the command line knows it.
    public CommandSpec described() {
        var command = CommandText.of(
                        "run",
                        this,
                        "Runs a program in a cage: decided by a policy, isolated, recorded.",
                        options.described())
                .addPositional(argv);
        command.usageMessage()
                .footer(
                        "",
                        "The exit code is the program's own; else 3 approval pending, 4 no rule,",
                        "5 denied, 124 timeout, 125 no cage, 126 not executable, 127 not found.");
        return command;
    }

    @Override
    public Integer call() throws IOException, PolicySyntaxException, BadPolicyException, InterruptedException {
        try (var secrets = new StoredSecrets(folders, new TerminalPerson(console))) {
            return options.dryRun()
                    ? in(new PolicyChoice(folders, secrets).of(options), this::judge)
                    : recorded(secrets);
        }
    }

    private int recorded(StoredSecrets secrets)
            throws IOException, PolicySyntaxException, BadPolicyException, InterruptedException {
        int code = ran(secrets);
        new ScheduledCheckpoint(console, folders).ifDue(chosenLog());
        return code;
    }

    /// What takes long and depends on no decision begins before anything is read, on threads of its own.
    private int ran(StoredSecrets secrets)
            throws IOException, PolicySyntaxException, BadPolicyException, InterruptedException {
        var key = KeyAhead.begin(folders);
        try (var cages = cages()) {
            var policy = new PolicyChoice(folders, secrets).of(options);
            try (var lent = secrets.lent(policy.effective())) {
                requireNotIn(lent, command(policy));
                return in(
                        policy,
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

    private int in(PolicyInForce policy, Deed deed) throws IOException, InterruptedException {
        var id = SessionId.random(new SecureRandom());
        var place = new Session.Place(folders.session(id), new OwnFiles(folders, auditLog(), policy.files()));
        var view = options.json() ? new RunJson(console, policy) : new RunText(console, policy, options.voice());
        try (var token = TokenChoice.of(options.token(), folders);
                var session = Session.open(id, terms(policy, token), place, policy::reasons, askers())) {
            noteToken(session, token);
            return deed.in(session, policy, view, token);
        } catch (UnavailableLogException e) {
            view.refused(DenialReport.withoutLog(String.valueOf(e.getMessage())));
            return ExitCode.DENIED.code();
        }
    }

    private List<Asker> askers() {
        return options.approvals().of(List.of(new TerminalPrompt(console, this::streams), new Watchers(folders)));
    }

    private CageTerms terms(PolicyInForce policy, TokenChoice token) {
        var terms = options.copy() ? policy.terms().withCopiedWorkspace() : policy.terms();
        return token.judge().map(terms::under).orElse(terms);
    }

    /// Which token it is under, so that the log says on whose authority things were done. A log that takes no note
    /// takes no intent either: then the gate denies, and says why.
    private static void noteToken(Session session, TokenChoice choice) {
        try {
            var token = choice.judge().flatMap(TokenJudge::token);
            if (token.isPresent()) {
                session.note("token.presented", TokenJson.of(token.get()));
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
        var streams = streams();
        var request = request(policy, streams.streams(), begun.secrets());
        var store = new SessionStore(folders);
        var recording = SessionRecording.begin(store, session, policy, session.programOf(request));
        tellInterrupted(session);
        session.noteLent(begun.secrets());
        var receipts = Receipts.of(session, policy, folders, begun.key());
        return new RunExecution(session, begun.cages(), view, receipts, setup(session, policy, begun.token()))
                .run(request, streams, recording);
    }

    /// A log that takes no outcome of theirs takes no intent either: then the gate denies, and says why.
    private void tellInterrupted(Session session) {
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
        return new RunRequest(command(policy), workspace(), CallerEnvironment.read(), streams, secrets);
    }

    private List<ByteString> command(PolicyInForce policy) throws IOException {
        List<String> given = argv.getValue();
        if (given != null && !given.isEmpty()) {
            return words.last(given.size());
        }
        return policy
                .command()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no program (expected: cagewright run [options] -- PROGRAM ARG..., or command: in the policy)"))
                .stream()
                .map(ByteString::of)
                .toList();
    }

    private Path auditLog() throws IOException {
        var chosen = chosenLog();
        return chosen.isPresent() ? chosen.get() : folders.auditLog();
    }

    private Optional<Path> chosenLog() {
        return options.audit().map(log -> Path.of(log).toAbsolutePath().normalize());
    }

    /// Without links, so that what the policy judges and what is mounted are one path.
    private ByteString workspace() throws IOException {
        return ByteString.of(
                Path.of(options.workspace().orElse("")).toRealPath().toString());
    }

    private RunStreams streams() {
        if (options.json()) {
            return new RunStreams.Kept();
        }
        boolean interactive = !options.noTerminal()
                && Terminal.at(0).isPresent()
                && Terminal.at(1).isPresent();
        return interactive ? new RunStreams.Terminals() : RunStreams.Piped.throughOwn();
    }
}
