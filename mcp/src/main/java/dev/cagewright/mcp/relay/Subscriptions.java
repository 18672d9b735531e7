package dev.cagewright.mcp.relay;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.guest.Agreed;

/// Whether a server tells of changes in single resources.
final class Subscriptions {
    private Subscriptions() {}

    static boolean has(Agreed agreed) {
        return !agreed.version().isStateless()
                && agreed.capabilities().member("resources").orElse(JsonObject.EMPTY) instanceof JsonObject resources
                && resources
                        .member("subscribe")
                        .filter(new JsonBoolean(/* value= */ true)::equals)
                        .isPresent();
    }

    /// What is said of resources to a client of one server.
    static JsonObject capability(Agreed agreed) {
        var resources = Json.object().put("listChanged", /* value= */ true);
        return (has(agreed) ? resources.put("subscribe", /* value= */ true) : resources).build();
    }
}
