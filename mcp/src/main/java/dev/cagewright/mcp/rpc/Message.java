package dev.cagewright.mcp.rpc;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNull;
import dev.cagewright.audit.json.JsonObject;
import java.util.Optional;

/// One message of JSON-RPC 2.0, by either side. Members that JSON-RPC does not name are not carried on: what was read
/// is what is judged, and what is written is what was judged.
public sealed interface Message {
    String VERSION = "2.0";

    /// Wants an answer.
    ///
    /// @param params empty where the message has none
    record Request(RpcId id, String method, JsonObject params) implements Message {}

    /// Wants none.
    ///
    /// @param params empty where the message has none
    record Notification(String method, JsonObject params) implements Message {}

    /// A request came to something.
    record Result(RpcId id, JsonObject value) implements Message {}

    /// A request came to nothing.
    ///
    /// @param id empty where the request could not be read so far
    record Failure(Optional<RpcId> id, RpcError error) implements Message {}

    /// What is sent; one line without its end when written.
    default JsonObject json() {
        var json = Json.object().put("jsonrpc", VERSION);
        switch (this) {
            case Request(RpcId id, String method, JsonObject params) -> {
                json.put("id", id.json()).put("method", method);
                put(json, params);
            }
            case Notification(String method, JsonObject params) -> {
                json.put("method", method);
                put(json, params);
            }
            case Result(RpcId id, JsonObject value) -> json.put("id", id.json()).put("result", value);
            case Failure(Optional<RpcId> id, RpcError error) ->
                json.put("id", id.map(RpcId::json).orElse(new JsonNull())).put("error", error.json());
        }
        return json.build();
    }

    private static void put(JsonObject.Builder json, JsonObject params) {
        if (!params.members().isEmpty()) {
            json.put("params", params);
        }
    }
}
