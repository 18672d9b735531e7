package dev.cagewright.mcp.relay;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.pin.Accepted;
import dev.cagewright.mcp.pin.PinKind;
import dev.cagewright.mcp.rpc.RpcError;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Lets everything through but the tools that it was told of, and lets servers ask for elicitation alone.
final class Agreeable implements Verdicts {
    private final Set<String> refused;

    Agreeable(String... refused) {
        this.refused = Set.of(refused);
    }

    @Override
    public boolean shows(String tool) {
        return !refused.contains(tool);
    }

    @Override
    public JsonValue said(JsonValue said) {
        return said;
    }

    @Override
    public void requireFree(JsonValue going) {}

    @Override
    public Accepted accepted(PinKind kind, List<JsonObject> definitions) {
        return new Accepted(definitions, List.of(), Accepted.Trust.AS_PINNED);
    }

    @Override
    public long version() {
        return 0;
    }

    @Override
    public Call call(String tool, JsonObject arguments, Optional<JsonObject> schema) {
        return refused.contains(tool)
                ? new Call.Refused(Json.object().put("refused", tool).build())
                : new Through();
    }

    @Override
    public boolean mayAsk(String method) {
        return method.equals("elicitation/create");
    }

    private record Through() implements Call.Admitted {
        @Override
        public JsonObject settled(JsonObject result) {
            return result;
        }

        @Override
        public RpcError settled(RpcError error) {
            return error;
        }

        @Override
        public void ended(String state) {}
    }
}
