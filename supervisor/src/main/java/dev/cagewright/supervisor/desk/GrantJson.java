package dev.cagewright.supervisor.desk;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.desk.PolicyDesk;
import dev.cagewright.policy.grant.Opening;
import dev.cagewright.policy.match.PathPattern;
import dev.cagewright.supervisor.grant.GrantState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.TreeSet;

/// What became of a request for a grant, as the cage is told.
final class GrantJson {
    private GrantJson() {}

    static JsonObject of(GrantState state) {
        return put(Json.object(), state).build();
    }

    /// A denial, as RFC 9457 has it, with the same members.
    static JsonObject problem(GrantState state) {
        var json = Json.object()
                .put("type", "urn:cagewright:problem:denied")
                .put("title", "Not granted")
                .put("status", 403)
                .put("detail", state.reason());
        return put(json, state).build();
    }

    private static JsonObject.Builder put(JsonObject.Builder json, GrantState state) {
        json.put("id", state.id().value()).put("state", state.standing().word()).put("reason", state.reason());
        opening(json, state.opening());
        state.until().ifPresent(until -> until(json, until));
        return json.put("status_url", PolicyDesk.BASE + "requests/" + state.id());
    }

    static void opening(JsonObject.Builder json, Opening opening) {
        json.put("host", opening.host().value())
                .put("ports", new TreeSet<>(opening.ports()).stream().toList())
                .put("methods", new TreeSet<>(opening.methods()).stream().toList())
                .put(
                        "paths",
                        opening.paths().stream().map(PathPattern::toString).toList());
    }

    static void until(JsonObject.Builder json, Instant until) {
        var left = Duration.between(InstantSource.system().instant(), until);
        json.put("until", until.toString()).put("seconds_left", Math.max(0, left.toSeconds()));
    }
}
