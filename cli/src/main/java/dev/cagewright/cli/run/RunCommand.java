package dev.cagewright.cli.run;

import dev.cagewright.cli.CommandText;
import dev.cagewright.cli.approval.TerminalPrompt.Keyboard;
import dev.cagewright.cli.approval.WaitingQuestions;
import dev.cagewright.cli.approval.Ways;
import dev.cagewright.cli.screen.StatusChoice;
import dev.cagewright.cli.secret.FirstSecret;
import dev.cagewright.cli.secret.TerminalPerson;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.sandbox.terminal.Terminal;
import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.approval.Question;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.credentials.SecretWish;
import dev.cagewright.supervisor.credentials.StoredSecrets;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.scaffold.AgentStart;
import dev.cagewright.supervisor.scaffold.Scaffolds;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `cagewright run`: one program under policy, in a cage, on the record.
public final class RunCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;
    private final Words words;

    private final RunOptions options = new RunOptions();
    private final WaitingQuestions waiting = new WaitingQuestions();
    private Optional<AgentStart> agent = Optional.empty();

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
        agent = agent();
        try (var secrets = new StoredSecrets(folders, new TerminalPerson(console))) {
            askForMissing(secrets);
            var program = new ProgramRun(console, folders, options, new Given());
            return options.dryRun() ? program.judged(secrets) : program.run(secrets);
        }
    }

    /// A secret that was asked for by name, that the agent knows the hosts of, and that is not stored, is asked for.
    private void askForMissing(StoredSecrets secrets) throws IOException {
        if (agent.isEmpty() || !FirstSecret.canAsk()) {
            return;
        }
        var wished = options.secrets().stream().map(SecretWish::name).toList();
        for (Credential secret : agent.get().scaffold().secrets()) {
            var cage = agent.get().policy().document().tool();
            if (wished.contains(secret.name()) && !secrets.has(secret.name(), cage)) {
                new FirstSecret(console, folders).ask(secret.name(), secret.useWith());
            }
        }
    }

    /// A scaffold's name that stands where the program does; behind `--` it is a program's.
    private Optional<AgentStart> agent() throws IOException, PolicySyntaxException {
        List<String> given = argv.getValue();
        if (given == null || given.isEmpty() || !Scaffolds.of(folders).has(given.getFirst())) {
            return Optional.empty();
        }
        var behind = words.last(given.size() + 1).getFirst();
        return behind.equals(ByteString.of("--"))
                ? Optional.empty()
                : Optional.of(
                        AgentStart.of(folders, given.getFirst(), CallerEnvironment.read(), options.workspacePath()));
    }

    /// The program of the command line.
    private final class Given implements ProgramRun.Subject {
        @Override
        public Optional<AgentStart> agent() {
            return agent;
        }

        @Override
        public List<ByteString> command(PolicyInForce policy) throws IOException {
            return RunCommand.this.command(policy);
        }

        @Override
        public Map<ByteString, ByteString> caller() throws IOException {
            return CallerEnvironment.read();
        }

        @Override
        public RunStreams streams(Session session, PolicyInForce policy, RunSecrets secrets) {
            return RunCommand.this.streams(session, policy);
        }

        @Override
        public List<Asker> askers() {
            return RunCommand.this.askers();
        }

        @Override
        public ProgramRun.Steers steers(RunStreams streams) {
            return new Steering(streams);
        }
    }

    private List<Asker> askers() {
        var all = new ArrayList<>(new Ways(console, folders).of(options.approvals(), this::keyboard));
        all.add(waiting);
        return all;
    }

    /// Until the program begins it is the person's.
    private Keyboard keyboard(Question question) {
        if (question.action().equals("proc.exec")) {
            return Keyboard.FREE;
        }
        return isOnTerminal() ? Keyboard.DRAWN : Keyboard.TAKEN;
    }

    private List<ByteString> command(PolicyInForce policy) throws IOException {
        List<String> given = argv.getValue();
        if (given != null && !given.isEmpty()) {
            var last = words.last(given.size());
            return agent.map(start -> start.command(last.subList(1, last.size())))
                    .orElse(last);
        }
        return policy
                .command()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no program (expected: cagewright run [options] -- PROGRAM ARG..., or command: in the policy)"))
                .stream()
                .map(ByteString::of)
                .toList();
    }

    private RunStreams streams(Session session, PolicyInForce policy) {
        if (options.json()) {
            return new RunStreams.Kept(input());
        }
        return isOnTerminal()
                ? new RunStreams.Terminals(status(session, policy))
                : RunStreams.Piped.throughOwn(input());
    }

    /// What is there to read stays there for others where the program gets none.
    private InputStream input() {
        return options.noInput() ? Streams.Pipes.discarding().in() : new FileInputStream(FileDescriptor.in);
    }

    private boolean isOnTerminal() {
        return !options.json()
                && !options.noTerminal()
                && !options.noInput()
                && Terminal.at(0).isPresent()
                && Terminal.at(1).isPresent();
    }

    private Optional<Supplier<String>> status(Session session, PolicyInForce policy) {
        boolean isTitled = StatusChoice.hasTitle(System.getenv());
        if (options.status().isPresent() && options.status().get() == StatusChoice.TITLE && !isTitled) {
            console.say("--status title: a terminal of this kind has no title that is known (TERM)");
        }
        var usual = agent.isPresent() ? StatusChoice.TITLE : StatusChoice.OFF;
        return isTitled && options.status().orElse(usual) == StatusChoice.TITLE
                ? Optional.of(() -> new StatusText(session, policy, waiting).line())
                : Optional.empty();
    }
}
