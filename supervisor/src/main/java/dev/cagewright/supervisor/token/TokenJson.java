package dev.cagewright.supervisor.token;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.token.Link;
import dev.cagewright.policy.token.Token;
import dev.cagewright.policy.token.right.Axis;
import dev.cagewright.policy.token.right.Rights;
import java.time.Instant;
import java.util.List;

/// What a token says, as JSON; nothing of it can be used as one.
public final class TokenJson {
    private TokenJson() {}

    public static JsonObject of(Token token) {
        return Json.object()
                .put("key", token.keyId())
                .put("rev", token.head().rev().value())
                .put("lineage", token.lineage().stream().map(Object::toString).toList())
                .put("expires", Instant.ofEpochSecond(token.expires()).toString())
                .put("links", token.links().stream().map(TokenJson::of).toList())
                .build();
    }

    private static JsonObject of(Link link) {
        var json = Json.object().put("rev", link.rev().value());
        link.issuer().ifPresent(issuer -> json.put("issuer", issuer));
        return json.put("issued", Instant.ofEpochSecond(link.issued()).toString())
                .put("expires", Instant.ofEpochSecond(link.expires()).toString())
                .put("rights", rights(link.rights()))
                .build();
    }

    /// One member for each axis on which something is granted, and for each bound.
    static JsonObject rights(Rights rights) {
        var json = Json.object();
        for (Axis axis : Axis.values()) {
            rights.spelt(axis).ifPresent(text -> json.put(axis.word(), List.of(text.split(" ", -1))));
        }
        for (Budget.Measure measure : Budget.Measure.values()) {
            rights.budget().rate(measure).ifPresent(rate -> json.put(measure.word(), measure.text(rate)));
        }
        return json.build();
    }
}
