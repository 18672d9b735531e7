package dev.cagewright.supervisor.grant;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.policy.decision.DecisionId;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/// What a session says to what another command wants of its grants.
///
/// @param id the grant's, where there is one
/// @param text one sentence, safe on a terminal
/// @param until its end, where it holds
public record OrderAnswer(Outcome outcome, Optional<DecisionId> id, String text, Optional<Instant> until) {
    /// Was it done?
    public enum Outcome {
        DONE,
        REFUSED
    }

    static OrderAnswer refused(String why) {
        return new OrderAnswer(Outcome.REFUSED, Optional.empty(), why, Optional.empty());
    }

    public JsonObject toJson() {
        var json = Json.object().put("done", outcome == Outcome.DONE).put("text", text);
        id.ifPresent(some -> json.put("id", some.value()));
        until.ifPresent(end -> json.put("until", end.toString()));
        return json.build();
    }

    static OrderAnswer parse(byte[] bytes) throws IOException {
        try {
            if (Json.parse(bytes, GrantRecord.MOST) instanceof JsonObject json) {
                var members = new Members("answer", json);
                return new OrderAnswer(
                        members.flag("done") ? Outcome.DONE : Outcome.REFUSED,
                        json.text("id").map(DecisionId::new),
                        members.text("text"),
                        json.text("until").map(Instant::parse));
            }
        } catch (JsonSyntaxException | IllegalArgumentException | DateTimeException e) {
            throw new IOException("answer: " + e.getMessage(), e);
        }
        throw new IOException("answer: not an object");
    }
}
