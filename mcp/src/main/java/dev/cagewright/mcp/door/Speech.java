package dev.cagewright.mcp.door;

import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.offer.Offer;
import dev.cagewright.mcp.protocol.Dialect;
import dev.cagewright.mcp.protocol.Meta;
import java.util.LinkedHashMap;
import java.util.Set;

/// Makes of an offer's result what one version says: less where it knows less, and in the stateless one what each
/// result has to say of itself.
record Speech(Dialect dialect, Offer offer) {
    /// What a client may keep for a while, in 2026-07-28.
    private static final Set<String> KEPT = Set.of(
            "server/discover",
            "tools/list",
            "prompts/list",
            "resources/list",
            "resources/templates/list",
            "resources/read");

    JsonObject result(String method, JsonObject result) {
        var known = dialect.result(method, result);
        return dialect.version().isStateless() ? stateless(method, known) : known;
    }

    private JsonObject stateless(String method, JsonObject result) {
        var members = new LinkedHashMap<String, JsonValue>();
        members.put("resultType", new JsonString("complete"));
        members.putAll(result.members());
        if (KEPT.contains(method) && isComplete(members)) {
            members.putIfAbsent("ttlMs", JsonNumber.of(0));
            members.putIfAbsent("cacheScope", new JsonString("private"));
        }
        return Meta.with(new JsonObject(members), Meta.SERVER_INFO, dialect.info(offer.info()));
    }

    private static boolean isComplete(LinkedHashMap<String, JsonValue> members) {
        return new JsonString("complete").equals(members.get("resultType"));
    }
}
