package dev.cagewright.cli.mcp;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.approval.Approving;
import dev.cagewright.cli.approval.TerminalPrompt.Keyboard;
import dev.cagewright.cli.approval.Ways;
import dev.cagewright.cli.run.CallSession;
import dev.cagewright.cli.run.RunOptions;
import dev.cagewright.cli.secret.TerminalPerson;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.mcp.consent.ClientAsker;
import dev.cagewright.mcp.guest.GuestProgram;
import dev.cagewright.mcp.judge.JudgeGround;
import dev.cagewright.mcp.remote.RemoteAddress;
import dev.cagewright.mcp.remote.RemoteBridge;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.environment.CageEnvironment;
import dev.cagewright.secrets.redact.Redaction;
import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.credentials.StoredSecrets;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// An MCP server elsewhere as something that is run: a session with policy, gate, gateway, receipt and record, and a
/// bridge in it. Each run of it has a session of its own.
///
/// @param name what the server is called
/// @param clients those who call it, of whom their persons are asked
record RemoteProgram(Console console, StateFolders folders, String name, Order order, ClientAsker clients)
        implements GuestProgram {
    RemoteProgram(Console console, StateFolders folders, String name, Order order) {
        this(console, folders, name, order, new ClientAsker());
    }

    /// What somebody ordered.
    ///
    /// @param headers as they were given, with variables in them
    /// @param caller the variables of whoever wants it
    record Order(RunOptions options, RemoteAddress address, List<String> headers, Map<ByteString, ByteString> caller) {
        Order {
            headers = List.copyOf(headers);
        }

        /// Headers and variables may be secrets.
        @Override
        public String toString() {
            return "Order[" + address.at() + "]";
        }
    }

    @Override
    public Optional<ClientAsker> asker() {
        return Optional.of(clients);
    }

    @Override
    public End run(Streams.Pipes pipes, Consumer<Standing> stands) throws InterruptedException {
        var ended = new AtomicReference<Optional<End>>(Optional.empty());
        try (var stored = new StoredSecrets(folders, new TerminalPerson(console))) {
            var askers = new ArrayList<Asker>(
                    new Ways(console, folders).of(order.options().approvals(), _ -> Keyboard.TAKEN));
            if (order.options().approvals() != Approving.NEVER) {
                askers.add(clients);
            }
            int code = new CallSession(console, folders, order.options(), what()).run(stored, askers, open -> {
                var end = bridged(open, pipes, stands);
                ended.set(Optional.of(end));
                return new CallSession.Served(ExitCode.OK.code(), List.of());
            });
            return ended.get()
                    .orElseGet(() -> new End(
                            "is not let be asked by its policy (exit code " + code + "; the error output says more)",
                            Hope.NONE));
        } catch (IOException | PolicySyntaxException | BadPolicyException | IllegalArgumentException e) {
            return new End("cannot be asked: " + e.getMessage(), Hope.NONE);
        }
    }

    /// A query may hold what is nobody's business.
    private CallSession.What what() {
        var plain = order.address().text().replaceFirst("\\?.*", "");
        return new CallSession.What(List.of("cagewright", "mcp", "wrap", "--url", plain), CallSession.Telling.NOTHING);
    }

    private End bridged(CallSession.Open open, Streams.Pipes pipes, Consumer<Standing> stands)
            throws InterruptedException {
        var secrets = open.secrets();
        var words = List.of(ByteString.of(order.address().text()));
        secrets.shownIn(words).ifPresent(secret -> {
            throw new IllegalArgumentException("the address holds the value of " + secret
                    + " (expected: a header that names it, which the gateway puts the value in for)");
        });
        var headers = new RemoteHeaders(order.caller(), secrets, order.address().scheme()).of(order.headers());
        var all = Stream.concat(secrets.held().stream(), secrets.former().stream());
        try (var redaction = Redaction.of(all.toList())) {
            var ground = JudgeGround.of(here(open), redaction, secrets);
            var whose = new RemoteBridge.Whose(name, open.session(), open.policy(), secrets);
            return new RemoteBridge(whose, order.address(), headers).run(pipes, signal -> {
                if (order.options().learn()) {
                    console.say("learning: tools that no entry of mcp.tools names may be called, and are recorded");
                }
                stands.accept(new Standing(open.session(), open.policy(), ground, words, signal));
            });
        }
    }

    /// Where relative paths count from, as for a server that is a program.
    private static GuestPath here(CallSession.Open open) {
        return open.policy().terms().grantsWorkspace()
                ? GuestPath.canonical(open.workspace().utf8().orElseThrow())
                : new GuestPath(CageEnvironment.HOME);
    }
}
