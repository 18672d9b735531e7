package dev.cagewright.cli.run;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.sandbox.terminal.Terminal;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.RunRequest;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.session.SessionRecording;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `cagewright run`: one program under policy, in a cage, on the record.
@Command(
        name = "run",
        description = "Runs a program in a cage: decided by a policy, isolated, recorded.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "The exit code is the program's own; else 3 approval pending, 4 no rule,",
            "5 denied, 124 timeout, 125 no cage, 126 not executable, 127 not found."
        })
public final class RunCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;
    private final Words words;

    @Mixin
    private final RunOptions options = new RunOptions();

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "PROGRAM", description = "-- PROGRAM ARG...: what to run, taken byte for byte.")
    private List<String> argv = new ArrayList<>();

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

    @Override
    public Integer call() throws IOException, PolicySyntaxException, InterruptedException {
        var policy = new PolicyChoice(folders).of(options);
        var id = SessionId.random(new SecureRandom());
        var place = new Session.Place(folders.session(id), auditLog());
        var view = options.json() ? new RunJson(console, policy) : new RunText(console, policy, options.voice());
        try (var streams = streams();
                var session = Session.open(id, policy.terms(), place, policy::reasons)) {
            var request = new RunRequest(command(policy), workspace(), CallerEnvironment.read(), streams.streams());
            if (options.dryRun()) {
                var program = session.programOf(request);
                return view.judged(program, session.gate().judge(program)).code();
            }
            var recording =
                    SessionRecording.begin(new SessionStore(folders), session, policy, session.programOf(request));
            return new RunExecution(session, NamespacesRuntime::start, view).run(request, streams, recording);
        }
    }

    private List<ByteString> command(PolicyInForce policy) throws IOException {
        if (!argv.isEmpty()) {
            return words.last(argv.size());
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
        return options.audit().isPresent()
                ? Path.of(options.audit().get()).toAbsolutePath().normalize()
                : folders.auditLog();
    }

    /// Without links, so that what the policy judges and what is mounted are one path.
    private ByteString workspace() throws IOException {
        return ByteString.of(
                Path.of(options.workspace().orElse("")).toRealPath().toString());
    }

    private RunStreams streams() throws IOException {
        if (options.json()) {
            return new RunStreams.Kept();
        }
        boolean interactive = Terminal.at(0).isPresent() && Terminal.at(1).isPresent() && !options.noTerminal();
        return interactive && !options.dryRun() ? new RunStreams.Terminals() : RunStreams.Piped.throughOwn();
    }
}
