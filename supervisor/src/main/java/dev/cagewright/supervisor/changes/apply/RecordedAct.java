package dev.cagewright.supervisor.changes.apply;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.audit.read.EventQuery;
import dev.cagewright.audit.read.EventReader;
import dev.cagewright.audit.read.StoredLine;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.Approvals;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Gate;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.supervisor.journal.AuditJournal;
import dev.cagewright.supervisor.state.SessionRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/// What a person does to a session's changes, as `run.control` in the session's own log: its intent is durable before
/// anything happens, its outcome afterwards. Owns the log while it is open.
public final class RecordedAct implements AutoCloseable {
    private static final RuleId PERSON = new RuleId("person:changes");

    private final Action.RunControl action;
    private final AuditLog log;
    private final AuditJournal journal;
    private final Gate gate;

    private RecordedAct(Action.RunControl action, AuditLog log, AuditJournal journal) {
        this.action = action;
        this.log = log;
        this.journal = journal;
        this.gate = new Gate(List.of(RecordedAct::judge), Approvals.NOBODY, journal);
    }

    /// A person may apply and discard their own session's changes, and nothing else here.
    private static Decision judge(Action action) {
        boolean known =
                action instanceof Action.RunControl(String verb) && (verb.equals("apply") || verb.equals("discard"));
        return known
                ? new Decision.Allow(PERSON)
                : new Decision.Deny(PERSON, DenyCode.NO_RULE, "only changes are applied or discarded here");
    }

    /// Opens the log of `session` for one act.
    ///
    /// @param verb `apply` or `discard`
    /// @param detail what is intended
    /// @throws IOException if the log cannot be read and appended to; nothing may happen
    public static RecordedAct open(SessionRecord session, String verb, JsonObject detail) throws IOException {
        var path = Path.of(session.auditLog());
        var log = AuditLog.open(path, InstantSource.system());
        try {
            var past = new AuditJournal.Past(session.id().value(), session.cage(), newest(path, session));
            return new RecordedAct(
                    new Action.RunControl(verb), log, AuditJournal.continuing(log, past, (_, _) -> detail));
        } catch (IOException e) {
            log.close();
            throw e;
        }
    }

    private static long newest(Path log, SessionRecord session) throws IOException {
        var query = EventQuery.ALL
                .ofSession(session.id().value())
                .notBefore(session.start().minusSeconds(1));
        long[] newest = {0};
        new EventReader(log).newestFirst(query, line -> {
            if (line instanceof StoredLine.Whole(var whole)) {
                var id = whole.event().origin().id();
                int dash = id.lastIndexOf('-');
                if (dash >= 0 && id.startsWith(session.id().value() + "-")) {
                    newest[0] = Math.max(newest[0], Long.parseLong(id, dash + 1, id.length(), 10));
                }
            }
        });
        return newest[0];
    }

    /// Asks the gate.
    ///
    /// @throws DeniedException if the intent is not durable
    public Warrant pass() throws DeniedException {
        return gate.pass(action);
    }

    /// Records how it ended; durable when it returns.
    public void ended(DecisionId id, JsonObject detail) throws IOException {
        journal.outcome(id, action, detail);
    }

    @Override
    public void close() throws IOException {
        log.close();
    }
}
