package dev.cagewright.mcp.remote;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.egress.here.HostRequest.Header;
import dev.cagewright.mcp.protocol.MirroredArgument;
import dev.cagewright.mcp.protocol.RoutingFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Arguments of tools that stand in the head of a call too, because the tool's `inputSchema` says so by `x-mcp-header`.
/// Safe for all threads.
final class ParameterHeaders {
    /// By tool.
    private final Map<String, List<MirroredArgument>> known = new ConcurrentHashMap<>();

    /// A list of tools, and what is wrong with those that were left out of it.
    record Sifted(JsonObject result, List<String> left) {}

    /// Learns from an answer to `tools/list`. A tool whose marks are not to be followed cannot be called, and is left
    /// out.
    Sifted sift(JsonObject result) {
        if (!(result.member("tools").orElse(JsonObject.EMPTY) instanceof JsonArray tools)) {
            return new Sifted(result, List.of());
        }
        var kept = new ArrayList<JsonValue>();
        var left = new ArrayList<String>();
        for (JsonValue item : tools.items()) {
            var name = item instanceof JsonObject tool ? tool.text("name").orElse("") : "";
            var marks = MirroredArgument.marks(
                    item instanceof JsonObject tool ? object(tool.member("inputSchema")) : JsonObject.EMPTY);
            if (marks.isSound()) {
                known.put(name, marks.all());
                kept.add(item);
            } else {
                left.add(name);
            }
        }
        if (left.isEmpty()) {
            return new Sifted(result, left);
        }
        var members = new LinkedHashMap<>(result.members());
        members.put("tools", new JsonArray(kept));
        return new Sifted(new JsonObject(members), left);
    }

    private static JsonObject object(Optional<JsonValue> value) {
        return value.orElse(JsonObject.EMPTY) instanceof JsonObject object ? object : JsonObject.EMPTY;
    }

    /// The headers of a call.
    List<Header> of(JsonObject params) {
        var arguments = object(params.member("arguments"));
        var headers = new ArrayList<Header>();
        for (var one : known.getOrDefault(params.text("name").orElse(""), List.of())) {
            one.in(arguments)
                    .ifPresent(value -> headers.add(new Header(one.field(), RoutingFields.carried(text(value)))));
        }
        return headers;
    }

    private static String text(JsonValue value) {
        return value instanceof JsonString(String text) ? text : value.write();
    }
}
