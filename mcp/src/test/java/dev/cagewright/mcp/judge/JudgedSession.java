package dev.cagewright.mcp.judge;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.mcp.record.RecordedEvents;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.engine.BadPolicyException;
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

/// A session with a real log under a policy's text, and its judge.
final class JudgedSession implements AutoCloseable {
    static final GuestPath HERE = new GuestPath("/workspace");

    private final Path log;
    private final Session session;
    private final CallJudge judge;

    private JudgedSession(Path log, Session session, CallJudge judge) {
        this.log = log;
        this.session = session;
        this.judge = judge;
    }

    static JudgedSession under(Path folder, String policy)
            throws IOException, PolicySyntaxException, BadPolicyException, UnavailableLogException {
        return under(folder, policy, JudgeGround.of(HERE));
    }

    static JudgedSession under(Path folder, String policy, JudgeGround ground)
            throws IOException, PolicySyntaxException, BadPolicyException, UnavailableLogException {
        var file = Files.writeString(folder.resolve("policy.yaml"), policy);
        var none = folder.resolve("none");
        var files = new PolicyFiles(none, none, none);
        var inForce = PolicyInForce.of(files.layersOver(Optional.of(PolicyFiles.load(file))), IsolationWish.CAGE);
        var own = Files.createDirectories(folder.resolve("state/s"));
        var log = folder.resolve("audit.jsonl");
        var folders = new StateFolders(folder.resolve("config"), folder.resolve("state"));
        var place = new Session.Place(own, new OwnFiles(folders, log, inForce.files()));
        var session = Session.open(new SessionId("abcdefghij"), inForce.terms(), place, inForce::reasons);
        return new JudgedSession(log, session, new CallJudge(session, inForce, ground));
    }

    CallJudge judge() {
        return judge;
    }

    Passed pass(String tool, String arguments) throws CallRefusedException {
        return judge.pass("files", tool, json(arguments));
    }

    /// With `'` for `"`.
    static JsonObject json(String text) {
        try {
            return (JsonObject) Json.parse(text.replace('\'', '"'));
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    List<Event> events() throws IOException {
        return RecordedEvents.of(log);
    }

    @Override
    public void close() throws IOException {
        session.close();
    }
}
