package dev.cagewright.supervisor.grant;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.supervisor.journal.AuditJournal;
import java.io.IOException;
import java.nio.file.Path;

/// What is kept of grants: events of the log, and files of the session's folder. A change is in the log before it
/// holds. Safe for all threads.
record GrantJournal(AuditJournal journal, Path session) {
    DecisionId nextId() {
        return journal.nextId();
    }

    /// @param by who asks: the cage's programs or an account
    void asked(DecisionId id, GrantRequest request, String by) throws IOException {
        note(
                id,
                "grant.asked",
                GrantRecord.opened(Json.object(), request.opening())
                        .put("for", request.time().toString())
                        .put("why", safe(request.why()))
                        .put("by", by));
    }

    void given(GrantRecord record, String how) throws IOException {
        var grant = record.grant();
        note(
                grant.id(),
                "grant.given",
                GrantRecord.opened(Json.object(), grant.opening())
                        .put("addresses", record.addresses())
                        .put("until", grant.until().toString())
                        .put("by", record.by())
                        .put("how", how));
        GrantFolder.create(session).put(record);
    }

    void refused(DecisionId id, String event, String why, String rule) throws IOException {
        note(id, event, Json.object().put("why", why).put("rule", rule));
    }

    /// A grant that is over is over, whether or not that can be written down.
    void ended(DecisionId id, GrantState.Standing standing, String by) {
        try {
            note(id, "grant." + standing.word(), Json.object().put("by", by));
        } catch (IOException _) {
            // a log that takes no note takes no intent either
        }
        try {
            var folder = GrantFolder.of(session);
            var record = folder.find(id);
            if (record.isPresent()) {
                folder.put(record.get().now(standing));
            }
        } catch (IOException _) {
            return; // its file says until when it was
        }
    }

    static String safe(String text) {
        return ByteString.of(text).printable();
    }

    private void note(DecisionId id, String name, JsonObject.Builder detail) throws IOException {
        journal.note(id, name, detail.build());
    }
}
