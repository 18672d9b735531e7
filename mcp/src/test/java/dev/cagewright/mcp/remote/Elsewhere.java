package dev.cagewright.mcp.remote;

import dev.cagewright.audit.event.Event;
import dev.cagewright.egress.here.HostRequest.Header;
import dev.cagewright.mcp.guest.GuestProgram;
import dev.cagewright.mcp.judge.JudgeGround;
import dev.cagewright.mcp.record.RecordedEvents;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.session.IsolationWish;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.session.UnavailableLogException;
import dev.cagewright.supervisor.state.OwnFiles;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// A server at an address as something to be run, in a real session with a real gateway.
final class Elsewhere implements GuestProgram, AutoCloseable {
    private final Path log;
    private final Session session;
    private final PolicyInForce policy;
    private final RemoteAddress address;
    private final List<Header> headers;
    private final AtomicInteger runs = new AtomicInteger();

    /// @param policy its text
    Elsewhere(Path folder, String policy, String url, String... headers) {
        this.address = RemoteAddress.parse(url);
        this.headers = List.of(headers).stream().map(Header::parse).toList();
        try {
            var own = Files.createTempDirectory(folder, "elsewhere");
            var file = Files.writeString(own.resolve("policy.yaml"), policy);
            var none = own.resolve("none");
            var files = new PolicyFiles(none, none, none);
            this.policy = PolicyInForce.of(files.layersOver(Optional.of(PolicyFiles.load(file))), IsolationWish.CAGE);
            this.log = own.resolve("audit.jsonl");
            var folders = new StateFolders(own.resolve("config"), own.resolve("state"));
            var place = new Session.Place(
                    Files.createDirectories(own.resolve("state/s")), new OwnFiles(folders, log, this.policy.files()));
            session = Session.open(new SessionId("abcdefghij"), this.policy.terms(), place, this.policy::reasons);
        } catch (IOException | PolicySyntaxException | BadPolicyException | UnavailableLogException e) {
            throw new IllegalStateException(e);
        }
    }

    /// One of this machine, which the policy lets be asked.
    static Elsewhere allowed(Path folder, int port, String... headers) {
        return new Elsewhere(
                folder,
                "tool: t\nnet: {hosts: [{host: \"127.0.0.1\", port: " + port + ", methods: [POST, GET, DELETE]}]}\n",
                "http://127.0.0.1:" + port + "/mcp",
                headers);
    }

    int runs() {
        return runs.get();
    }

    List<Event> events() throws IOException {
        return RecordedEvents.of(log);
    }

    @Override
    public String name() {
        return "acme";
    }

    @Override
    public End run(Streams.Pipes pipes, Consumer<Standing> stands) throws InterruptedException {
        runs.incrementAndGet();
        var whose = new RemoteBridge.Whose(name(), session, policy, RunSecrets.NONE);
        var words = List.of(ByteString.of(address.text()));
        return new RemoteBridge(whose, address, headers)
                .run(
                        pipes,
                        signal -> stands.accept(new Standing(
                                session, policy, JudgeGround.of(new GuestPath("/workspace")), words, signal)));
    }

    @Override
    public void close() throws IOException {
        session.close();
    }
}
