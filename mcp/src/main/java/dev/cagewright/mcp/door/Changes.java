package dev.cagewright.mcp.door;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.offer.Offer;
import dev.cagewright.mcp.offer.Offer.Change;
import dev.cagewright.mcp.offer.Offer.Change.Lists;
import dev.cagewright.mcp.protocol.Meta;
import dev.cagewright.mcp.rpc.Message;
import java.util.Locale;

/// What clients are told of changes.
final class Changes {
    private Changes() {}

    /// Does `offer` say that it tells changes of that list?
    static boolean isOffered(Offer offer, Lists list) {
        return has(offer, name(list), "listChanged");
    }

    /// Does `offer` say that it tells what happens to single resources?
    static boolean followsResources(Offer offer) {
        return has(offer, name(Lists.RESOURCES), "subscribe");
    }

    private static boolean has(Offer offer, String capability, String part) {
        return offer.capabilities().members().get(capability) instanceof JsonObject what
                && what.members().get(part) instanceof JsonBoolean(boolean isOffered)
                && isOffered;
    }

    static String name(Lists list) {
        return list.name().toLowerCase(Locale.ROOT);
    }

    /// The notification of `change`.
    ///
    /// @param meta what accompanies it; empty if nothing does
    static Message.Notification notice(Change change, JsonObject meta) {
        var params = Json.object();
        if (!meta.members().isEmpty()) {
            params.put(Meta.META, meta);
        }
        return switch (change) {
            case Lists list ->
                new Message.Notification("notifications/" + name(list) + "/list_changed", params.build());
            case Change.Resource(String uri) ->
                new Message.Notification(
                        "notifications/resources/updated",
                        params.put("uri", uri).build());
        };
    }
}
