package dev.cagewright.mcp.remote;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.egress.here.HostRequest.Header;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Arguments of tools that stand in the head of a call too, because the tool's `inputSchema` says so by `x-mcp-header`.
/// Safe for all threads.
final class ParameterHeaders {
    private static final String MARK = "x-mcp-header";
    private static final Set<String> SIMPLE = Set.of("string", "integer", "boolean");

    /// By tool, the headers by argument.
    private final Map<String, Map<String, String>> known = new ConcurrentHashMap<>();

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
            var marks = item instanceof JsonObject tool ? marks(tool) : Optional.of(Map.<String, String>of());
            if (marks.isPresent()) {
                known.put(name, marks.get());
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

    /// Empty if they cannot be followed.
    private static Optional<Map<String, String>> marks(JsonObject tool) {
        var marks = new LinkedHashMap<String, String>();
        var taken = new HashSet<String>();
        var schema = object(tool.member("inputSchema"));
        boolean isGood = true;
        for (Map.Entry<String, JsonValue> one :
                object(schema.member("properties")).members().entrySet()) {
            var property = object(Optional.of(one.getValue()));
            var mark = property.member(MARK);
            if (mark.isPresent()) {
                var header = mark.get() instanceof JsonString(String text) ? text : "";
                isGood &= header.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}")
                        && taken.add(header.toLowerCase(Locale.ROOT))
                        && property.text("type").filter(SIMPLE::contains).isPresent();
                marks.put(one.getKey(), header);
            }
        }
        return isGood ? Optional.of(marks) : Optional.empty();
    }

    private static JsonObject object(Optional<JsonValue> value) {
        return value.orElse(JsonObject.EMPTY) instanceof JsonObject object ? object : JsonObject.EMPTY;
    }

    /// The headers of a call.
    List<Header> of(JsonObject params) {
        var arguments = object(params.member("arguments"));
        var headers = new ArrayList<Header>();
        known.getOrDefault(params.text("name").orElse(""), Map.of())
                .forEach((argument, header) -> arguments
                        .member(argument)
                        .flatMap(ParameterHeaders::text)
                        .ifPresent(
                                value -> headers.add(new Header("Mcp-Param-" + header, Conversation.carried(value)))));
        return headers;
    }

    private static Optional<String> text(JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> Optional.of(text);
            case JsonNumber(String text) -> Optional.of(text);
            case JsonBoolean(boolean isSo) -> Optional.of(String.valueOf(isSo));
            default -> Optional.empty();
        };
    }
}
