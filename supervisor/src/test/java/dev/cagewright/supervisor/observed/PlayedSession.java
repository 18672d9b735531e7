package dev.cagewright.supervisor.observed;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.supervisor.journal.AuditJournal;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.registries.Registries;
import dev.cagewright.supervisor.session.IsolationWish;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A session with a real log, in which actions were judged and nothing was done.
record PlayedSession(Path folder) {
    static Action request(String method, String host, String path) {
        return new Action.HttpRequest(method, new HostName(host), 443, path);
    }

    static Action exec(String... words) {
        return new Action.ProcExec(Stream.of(words).map(ByteString::of).toList(), new GuestPath("/workspace"));
    }

    PolicyInForce policy(String text) throws IOException, PolicySyntaxException, BadPolicyException {
        return policy(text, PolicyInForce.Addition.NOTHING);
    }

    PolicyInForce learning(String text) throws IOException, PolicySyntaxException, BadPolicyException {
        return policy(text, document -> document.observing());
    }

    private PolicyInForce policy(String text, PolicyInForce.Addition addition)
            throws IOException, PolicySyntaxException, BadPolicyException {
        var file = Files.writeString(folder.resolve("p" + text.hashCode() + ".yaml"), text);
        var folders = new StateFolders(folder.resolve("config"), folder.resolve("state"));
        return PolicyInForce.of(
                PolicyFiles.of(folders).layersOver(Optional.of(PolicyFiles.load(file))),
                IsolationWish.CAGE,
                Registries.NOT_ASKED,
                addition);
    }

    /// What the log has of it.
    List<PastDecision> decisions(PolicyInForce policy, List<Action> actions) throws IOException {
        var log = Files.createTempFile(folder, "audit", ".jsonl");
        Files.delete(log);
        try (var open = AuditLog.open(log, InstantSource.system())) {
            var journal = new AuditJournal(open, "abcdefghij", "t", policy::reasons);
            journal.note("phase", Json.object().put("name", "none").build());
            for (Action action : actions) {
                if (policy.effective().judge(action) instanceof Decision.Verdict verdict) {
                    journal.intent(journal.nextId(), action, verdict);
                }
            }
        }
        return PastDecision.of(new SessionRecord(
                new SessionId("abcdefghij"),
                "t",
                List.of("python3"),
                "/w",
                log.toString(),
                new SessionRecord.Policy("p", ""),
                Instant.EPOCH,
                Optional.empty()));
    }
}
