package dev.cagewright.mcp.protocol;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.Set;

/// The names in `_meta`, which is what accompanies a message without being part of what it asks or says.
public final class Meta {
    public static final String META = "_meta";
    public static final String PROGRESS_TOKEN = "progressToken";

    private static final String OWN = "io.modelcontextprotocol/";
    public static final String VERSION = OWN + "protocolVersion";
    public static final String CLIENT_CAPABILITIES = OWN + "clientCapabilities";
    public static final String CLIENT_INFO = OWN + "clientInfo";
    public static final String LOG_LEVEL = OWN + "logLevel";
    public static final String SERVER_INFO = OWN + "serverInfo";
    public static final String SUBSCRIPTION = OWN + "subscriptionId";

    private static final Set<String> OF_A_REQUEST =
            Set.of(PROGRESS_TOKEN, VERSION, CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL);

    private Meta() {}

    /// What accompanies `message`; empty where nothing does.
    public static JsonObject of(JsonObject message) {
        return message.member(META).orElse(JsonObject.EMPTY) instanceof JsonObject meta ? meta : JsonObject.EMPTY;
    }

    /// `params` without what the protocol itself needs.
    public static JsonObject without(JsonObject params) {
        var meta = new LinkedHashMap<>(of(params).members());
        if (!meta.keySet().removeAll(OF_A_REQUEST)) {
            return params;
        }
        var members = new LinkedHashMap<>(params.members());
        if (meta.isEmpty()) {
            members.remove(META);
        } else {
            members.put(META, new JsonObject(meta));
        }
        return new JsonObject(members);
    }

    /// `message`, accompanied by one thing more.
    public static JsonObject with(JsonObject message, String name, JsonValue value) {
        var meta = new LinkedHashMap<>(of(message).members());
        meta.put(name, value);
        var members = new LinkedHashMap<>(message.members());
        members.put(META, new JsonObject(meta));
        return new JsonObject(members);
    }

    /// Nothing but what accompanies.
    public static JsonObject only(String name, JsonValue value) {
        return Json.object().put(META, Json.object().put(name, value).build()).build();
    }
}
