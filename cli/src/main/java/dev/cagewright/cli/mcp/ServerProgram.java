package dev.cagewright.cli.mcp;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.approval.Approving;
import dev.cagewright.cli.approval.TerminalPrompt.Keyboard;
import dev.cagewright.cli.approval.Ways;
import dev.cagewright.cli.run.ProgramRun;
import dev.cagewright.cli.run.RunOptions;
import dev.cagewright.cli.run.RunStreams;
import dev.cagewright.cli.secret.TerminalPerson;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.mcp.consent.ClientAsker;
import dev.cagewright.mcp.guest.GuestProgram;
import dev.cagewright.mcp.judge.JudgeGround;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.sandbox.Limits;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.environment.CageEnvironment;
import dev.cagewright.secrets.redact.Redaction;
import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.credentials.StoredSecrets;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.scaffold.AgentStart;
import dev.cagewright.supervisor.session.CageTerms;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.RunWatcher;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// An MCP server as a program that is run as `run` runs programs: policy, gate, cage, receipt, record. Each run of it
/// has a session of its own.
final class ServerProgram implements GuestProgram {
    private static final int SIGNALLED = 128;

    private final Console console;
    private final StateFolders folders;
    private final String name;
    private final Order order;
    private final ClientAsker asker = new ClientAsker();

    /// What somebody ordered.
    ///
    /// @param words of the program, first its name
    /// @param caller the variables of whoever wants it
    record Order(RunOptions options, List<ByteString> words, Map<ByteString, ByteString> caller) {}

    ServerProgram(Console console, StateFolders folders, String name, Order order) {
        this.console = console;
        this.folders = folders;
        this.name = name;
        this.order = order;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<ClientAsker> asker() {
        return Optional.of(asker);
    }

    @Override
    public End run(Streams.Pipes pipes, Consumer<Standing> stands) throws InterruptedException {
        try (var secrets = new StoredSecrets(folders, new TerminalPerson(console))) {
            var served = new Served(order.options().workspacePath(), new RunStreams.Piped(pipes), stands);
            int code;
            try {
                code = new ProgramRun(console, folders, order.options(), served).run(secrets);
            } finally {
                served.held.run();
            }
            return served.hasRun ? ran(code) : refused(code);
        } catch (IOException | PolicySyntaxException | BadPolicyException | IllegalArgumentException e) {
            return new End("cannot be run: " + e.getMessage(), Hope.NONE);
        }
    }

    private static End ran(int code) {
        var how = code == ExitCode.TIMEOUT.code()
                ? "ran out of the time of its policy (resources.timeout)"
                : code > SIGNALLED ? "died of signal " + (code - SIGNALLED) : "ended with exit code " + code;
        return new End(how, Hope.AGAIN);
    }

    private static End refused(int code) {
        var why = code == ExitCode.NO_CAGE.code()
                ? "gets no cage"
                : code == ExitCode.NOT_FOUND.code()
                        ? "is not to be found in its cage"
                        : code == ExitCode.NOT_EXECUTABLE.code()
                                ? "cannot be executed"
                                : "is not let run by its policy";
        return new End(why + " (exit code " + code + "; its error output says more)", Hope.NONE);
    }

    /// One run of it.
    private final class Served implements ProgramRun.Subject {
        private final ByteString workspace;
        private final RunStreams.Piped streams;
        private final Consumer<Standing> stands;
        private Optional<Ground> ground = Optional.empty();
        private Runnable held = () -> {};
        private volatile boolean hasRun;

        Served(ByteString workspace, RunStreams.Piped streams, Consumer<Standing> stands) {
            this.workspace = workspace;
            this.streams = streams;
            this.stands = stands;
        }

        private record Ground(Session session, PolicyInForce policy, JudgeGround judge, List<ByteString> program) {}

        @Override
        public Optional<AgentStart> agent() {
            return Optional.empty();
        }

        @Override
        public List<ByteString> command(PolicyInForce policy) {
            if (!order.words().isEmpty()) {
                return order.words();
            }
            return policy
                    .command()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "no program (expected: cagewright mcp wrap [options] -- PROGRAM ARG..., or command: in the"
                                    + " policy)"))
                    .stream()
                    .map(ByteString::of)
                    .toList();
        }

        @Override
        public Map<ByteString, ByteString> caller() {
            return order.caller();
        }

        /// Frames and errors are bounded one by one where they are read, and a server may last.
        @Override
        public CageTerms terms(PolicyInForce policy) {
            var terms = policy.terms();
            var limits = terms.limits();
            var asked = policy.effective().resources();
            return terms.withLimits((asked.timeout().isPresent() ? limits : limits.withWall(Limits.NO_END))
                    .withOutputBytes(asked.output().isPresent() ? limits.outputBytes() : Limits.UNBOUNDED));
        }

        @Override
        public RunStreams streams(Session session, PolicyInForce policy, RunSecrets secrets) {
            var redaction = Redaction.of(Stream.concat(secrets.held().stream(), secrets.former().stream())
                    .toList());
            held = redaction::close;
            ground = Optional.of(
                    new Ground(session, policy, JudgeGround.of(here(policy), redaction, secrets), command(policy)));
            return streams;
        }

        /// Where it finds itself, as the session has it.
        private GuestPath here(PolicyInForce policy) {
            return policy.terms().grantsWorkspace()
                    ? GuestPath.canonical(workspace.utf8().orElseThrow())
                    : new GuestPath(CageEnvironment.HOME);
        }

        @Override
        public List<Asker> askers() {
            var all = new ArrayList<Asker>(
                    new Ways(console, folders).of(order.options().approvals(), _ -> Keyboard.TAKEN));
            if (order.options().approvals() != Approving.NEVER) {
                all.add(asker);
            }
            return all;
        }

        /// A set-up has other streams than the server, and nobody to talk to.
        @Override
        public ProgramRun.Steers steers(RunStreams of) {
            return of.equals(streams) ? new Steered() : new Alone();
        }

        private final class Steered implements ProgramRun.Steers {
            @Override
            public void ready() {
                hasRun = true;
                if (order.options().learn()) {
                    console.say("learning: tools that no entry of mcp.tools names may be called, and are recorded");
                }
            }

            @Override
            public RunWatcher.Watch of(Run run) {
                var known = ground.orElseThrow();
                stands.accept(
                        new Standing(known.session(), known.policy(), known.judge(), known.program(), run::signal));
                return () -> {};
            }

            @Override
            public void close() {}
        }
    }

    /// Beside a program that nobody steers.
    private static final class Alone implements ProgramRun.Steers {
        @Override
        public void ready() {}

        @Override
        public RunWatcher.Watch of(Run run) {
            return () -> {};
        }

        @Override
        public void close() {}
    }
}
