package dev.cagewright.cli.summary;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.cli.net.HostTraffic;
import java.time.Duration;

/// A run's facts for programs.
final class SummaryJson {
    private SummaryJson() {}

    static JsonObject of(RunFacts facts) {
        var session = facts.session();
        var json = Json.object().put("session", session.id().value()).put("cage", session.cage());
        session.end()
                .ifPresent(end -> json.put("state", end.state())
                        .put("exit", end.exit())
                        .put(
                                "wall_ms",
                                Duration.between(session.start(), end.at()).toMillis()));
        json.put("reached", facts.reached().stream().map(SummaryJson::host).toList());
        json.put(
                "denied",
                facts.denied().stream()
                        .map(group -> denied(group, facts.expected()))
                        .toList());
        facts.files().ifPresent(files -> json.put("files", files.toJson()));
        json.put("approvals", approvals(facts.approvals()));
        json.put(
                "secrets",
                facts.lent().stream()
                        .map(one -> Json.object()
                                .put("name", one.name())
                                .put("uses", one.uses())
                                .build())
                        .toList());
        json.put("budgets", facts.budgets().json());
        facts.receipt().ifPresent(file -> json.put("receipt", file.toString()));
        return json.build();
    }

    private static JsonObject host(HostTraffic host) {
        return Json.object()
                .put("host", host.host())
                .put("requests", host.requests())
                .put("unanswered", host.unanswered())
                .put("sent_bytes", host.sentBytes())
                .put("received_bytes", host.receivedBytes())
                .build();
    }

    private static JsonObject denied(DeniedGroup group, Expected expected) {
        var json = Json.object()
                .put("what", group.what())
                .put("times", group.times())
                .put("why", group.why())
                .put("id", group.id());
        expected.why(group.what()).ifPresent(why -> json.put("expected", why));
        return json.build();
    }

    private static JsonObject approvals(RunFacts.Approvals all) {
        return Json.object()
                .put("asked", all.asked())
                .put("agreed", all.agreed())
                .put("refused", all.refused())
                .put("unanswered", all.unanswered())
                .put("waiting", all.waiting())
                .put("unasked", all.unasked())
                .put("standing", all.standing())
                .build();
    }
}
