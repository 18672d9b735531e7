package dev.cagewright.mcp.relay;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.guest.Agreed;
import java.util.Optional;

/// Whether a server tells of changes in single resources.
final class Subscriptions {
    private Subscriptions() {}

    static boolean has(Agreed agreed) {
        return agreed.capabilities().member("resources").orElse(JsonObject.EMPTY) instanceof JsonObject resources
                && resources
                        .member("subscribe")
                        .filter(new JsonBoolean(/* value= */ true)::equals)
                        .isPresent();
    }

    /// What is said of resources to a client.
    ///
    /// @param alone the one server; empty for several, of which some may tell
    static JsonObject capability(Optional<Agreed> alone) {
        var resources = Json.object().put("listChanged", /* value= */ true);
        boolean tells = alone.map(Subscriptions::has).orElse(true);
        return (tells ? resources.put("subscribe", /* value= */ true) : resources).build();
    }
}
