package dev.cagewright.mcp.relay;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// How the resources of one server are told from those of others: by what stands in front of each address and template.
///
/// @param prefix empty for a server that is alone
record Uris(String prefix) {
    /// Of a server among others.
    static Uris of(String server) {
        return new Uris("cagewright:" + Names.of("mcp", server).substring("mcp__".length()) + ":");
    }

    /// Of one that is alone.
    static Uris alone() {
        return new Uris("");
    }

    /// As the client knows it.
    String outside(String uri) {
        return prefix + uri;
    }

    /// As the server knows it; empty if it is none of that server's.
    Optional<String> inside(String uri) {
        return uri.startsWith(prefix) ? Optional.of(uri.substring(prefix.length())) : Optional.empty();
    }

    /// An entry of a list.
    JsonObject entry(Kind kind, JsonObject entry) {
        return text(entry, kind.key());
    }

    /// The answer to `method`, with the addresses in it as the client knows them.
    JsonObject answer(String method, JsonObject answer) {
        if (prefix.isEmpty()) {
            return answer;
        }
        return switch (method) {
            case "tools/call" -> each(answer, "content", this::content);
            case "resources/read" -> each(answer, "contents", contents -> text(contents, "uri"));
            case "prompts/get" -> each(answer, "messages", message -> object(message, "content", this::content));
            default -> answer;
        };
    }

    private JsonObject content(JsonObject content) {
        return switch (content.text("type").orElse("")) {
            case "resource_link" -> text(content, "uri");
            case "resource" -> object(content, "resource", resource -> text(resource, "uri"));
            default -> content;
        };
    }

    private JsonObject text(JsonObject object, String name) {
        return object.text(name)
                .map(uri -> with(object, name, new JsonString(outside(uri))))
                .orElse(object);
    }

    private static JsonObject object(JsonObject object, String name, UnaryOperator<JsonObject> change) {
        return object.members().get(name) instanceof JsonObject inner
                ? with(object, name, change.apply(inner))
                : object;
    }

    private static JsonObject each(JsonObject object, String name, UnaryOperator<JsonObject> change) {
        if (!(object.members().get(name) instanceof JsonArray(List<JsonValue> items))) {
            return object;
        }
        var changed = new ArrayList<JsonValue>(items.size());
        for (JsonValue item : items) {
            changed.add(item instanceof JsonObject one ? change.apply(one) : item);
        }
        return with(object, name, new JsonArray(changed));
    }

    static JsonObject with(JsonObject object, String name, JsonValue value) {
        var members = new LinkedHashMap<>(object.members());
        members.put(name, value);
        return new JsonObject(members);
    }
}
