package dev.cagewright.mcp.rpc;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import java.util.Optional;

/// What a request came to if it came to nothing: the `error` member of an answer.
///
/// @param code one of those below, or one of the peer's
/// @param message for a person: what, why and what to do
/// @param data for a program
public record RpcError(long code, String message, Optional<JsonValue> data) {
    public static final int PARSE_ERROR = -32_700;
    public static final int INVALID_REQUEST = -32_600;
    public static final int METHOD_NOT_FOUND = -32_601;
    public static final int INVALID_PARAMS = -32_602;
    public static final int INTERNAL_ERROR = -32_603;

    public RpcError(long code, String message) {
        this(code, message, Optional.empty());
    }

    public JsonObject json() {
        var json = Json.object().put("code", code).put("message", message);
        data.ifPresent(value -> json.put("data", value));
        return json.build();
    }
}
