package dev.cagewright.supervisor.grant;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.grant.Opening;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/// One grant of a session, as its file keeps it.
///
/// @param why what it was asked for with, safe on a terminal
/// @param by the rule or the account that gave it
/// @param standing granted, expired or revoked
public record GrantRecord(Grant grant, String why, String by, Instant since, GrantState.Standing standing) {
    /// The largest file, bytes.
    static final int MOST = 64 << 10;

    /// The same, standing otherwise.
    GrantRecord now(GrantState.Standing other) {
        return new GrantRecord(grant, why, by, since, other);
    }

    public JsonObject toJson() {
        return opened(Json.object().put("id", grant.id().value()), grant.opening())
                .put("addresses", grant.addresses().stream().map(Json::of).toList())
                .put("why", why)
                .put("by", by)
                .put("since", since.toString())
                .put("until", grant.until().toString())
                .put("standing", standing.word())
                .build();
    }

    /// Puts what it is about.
    static JsonObject.Builder opened(JsonObject.Builder json, Opening opening) {
        return json.put("host", opening.host().value())
                .put(
                        "ports",
                        opening.ports().stream().sorted().map(Long::valueOf).toList())
                .put("methods", opening.methods().stream().sorted().toList())
                .put("paths", opening.paths().stream().map(Object::toString).toList());
    }

    /// @throws IOException if it is no grant, or not all of one
    static GrantRecord parse(byte[] text) throws IOException {
        try {
            if (Json.parse(text, MOST) instanceof JsonObject json) {
                var read = new Members("grant", json);
                return new GrantRecord(
                        new Grant(
                                new DecisionId(read.text("id")),
                                read.opening(),
                                read.lists("addresses"),
                                Instant.parse(read.text("until"))),
                        read.text("why"),
                        read.text("by"),
                        Instant.parse(read.text("since")),
                        GrantState.Standing.valueOf(read.text("standing").toUpperCase(Locale.ROOT)));
            }
        } catch (JsonSyntaxException | IllegalArgumentException | DateTimeException e) {
            throw new IOException("grant: " + e.getMessage(), e);
        }
        throw new IOException("grant: not an object");
    }

    /// The hosts of its addresses, for people; empty where any public one may be dialled.
    public List<String> addresses() {
        return grant.addresses().stream().flatMap(List::stream).distinct().toList();
    }
}
