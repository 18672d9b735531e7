package dev.cagewright.mcp.tools;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.mcp.consent.ClientAsker;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.record.RecordedEvents;
import dev.cagewright.mcp.rpc.RpcException;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.receipt.issue.CageWitness;
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
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The tools over a real session and a real cage, in a folder of a test.
final class ToolBench implements AutoCloseable {
    private final Path log;
    private final Session session;
    private final ToolsOffer offer;

    private ToolBench(Path log, Session session, ToolsOffer offer) {
        this.log = log;
        this.session = session;
        this.offer = offer;
    }

    /// @param workspace a folder, without links
    static ToolBench open(Path folder, Path workspace, String policy)
            throws IOException, PolicySyntaxException, BadPolicyException, UnavailableLogException {
        var file = Files.writeString(folder.resolve("policy.yaml"), policy);
        var files = new PolicyFiles(folder.resolve("none"), folder.resolve("none"), folder.resolve("none"));
        var inForce = PolicyInForce.of(files.layersOver(Optional.of(PolicyFiles.load(file))), IsolationWish.CAGE);
        var own = Files.createDirectories(folder.resolve("state/s"));
        var log = folder.resolve("audit.jsonl");
        var folders = new StateFolders(folder.resolve("config"), folder.resolve("state"));
        var asker = new ClientAsker();
        var session = Session.open(
                new SessionId("abcdefghij"),
                inForce.terms(),
                new Session.Place(own, new OwnFiles(folders, log, inForce.files())),
                inForce::reasons,
                List.of(asker));
        var ground = new ToolGround(
                session,
                inForce,
                ByteString.of(workspace.toString()),
                Map.of(),
                RunSecrets.NONE,
                NamespacesRuntime::start,
                new CageWitness(InstantSource.system()));
        return new ToolBench(log, session, new ToolsOffer(ground, asker));
    }

    ToolsOffer offer() {
        return offer;
    }

    JsonObject call(String tool, String arguments) throws RpcException, InterruptedException {
        return call(tool, arguments, new TestCaller());
    }

    JsonObject call(String tool, String arguments, Caller caller) throws RpcException, InterruptedException {
        return offer.answer(
                "tools/call",
                Json.object()
                        .put("name", tool)
                        .put("arguments", object(arguments))
                        .build(),
                caller);
    }

    static JsonObject object(String text) {
        try {
            return (JsonObject) Json.parse(text);
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    List<Event> events() throws IOException {
        return RecordedEvents.of(log);
    }

    @Override
    public void close() throws IOException {
        offer.end();
        session.close();
    }
}
