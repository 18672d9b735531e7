package dev.cagewright.supervisor.net;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.Traffic;
import dev.cagewright.egress.inspect.Finding;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.gate.Journal;
import dev.cagewright.supervisor.journal.AuditJournal;
import java.io.IOException;

/// Writes into the audit log how requests and connections ended. Safe for all threads.
final class AuditChronicle implements BoundedChronicle.Log {
    private final AuditJournal journal;

    AuditChronicle(AuditJournal journal) {
        this.journal = journal;
    }

    @Override
    public void ended(DecisionId id, Action action, Traffic traffic, Kept kept) {
        journal.outcome(id, action, json(traffic), new Journal.Recorded() {
            @Override
            public void durable(long sequence) {
                kept.kept();
            }

            @Override
            public void failed(IOException why) {
                kept.lost();
            }
        });
    }

    private static JsonObject json(Traffic traffic) {
        var json = Json.object();
        switch (traffic.end()) {
            case Traffic.End.Complete _ -> json.put("state", "complete");
            case Traffic.End.Unreached(String why) ->
                json.put("state", "unreached").put("why", why);
            case Traffic.End.Exhausted(String why) ->
                json.put("state", "exhausted").put("why", why);
            case Traffic.End.Truncated(String why) ->
                json.put("state", "truncated").put("why", why);
            case Traffic.End.Stopped(String kind) ->
                json.put("state", "stopped").put("why", kind);
        }
        traffic.status().ifPresent(status -> json.put("status", status));
        traffic.address().ifPresent(address -> json.put("address", address));
        json.put("sent_bytes", traffic.sentBytes())
                .put("received_bytes", traffic.receivedBytes())
                .put("wall_ms", traffic.duration().toMillis());
        if (!traffic.findings().isEmpty()) {
            var findings = Json.array();
            traffic.findings().forEach(finding -> findings.add(json(finding)));
            json.put("findings", findings.build());
        }
        return json.build();
    }

    static JsonObject json(Finding finding) {
        return Json.object()
                .put("kind", finding.kind())
                .put("inspector", finding.inspector())
                .put("place", finding.place().word())
                .put("at", finding.at())
                .put("reaction", finding.blocks() ? "block" : "flag")
                .build();
    }

    @Override
    public void found(DecisionId id, Finding finding) throws IOException {
        journal.note(id, "net.finding", json(finding));
    }

    @Override
    public void refused(Refused refused) throws IOException {
        journal.note(
                "net.refused",
                Json.object()
                        .put("target", refused.target())
                        .put("port", refused.port())
                        .put("why", refused.why())
                        .build());
    }

    @Override
    public void more(long count) throws IOException {
        journal.note("net.refused.more", Json.object().put("count", count).build());
    }
}
