package dev.cagewright.mcp.protocol;

import static dev.cagewright.mcp.protocol.ProtocolVersion.V2025_03_26;
import static dev.cagewright.mcp.protocol.ProtocolVersion.V2025_06_18;
import static dev.cagewright.mcp.protocol.ProtocolVersion.V2025_11_25;
import static dev.cagewright.mcp.protocol.ProtocolVersion.V2026_07_28;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.rpc.RpcError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/// What one version can say. Whatever came into the protocol later is left out, or said in words where it is content
/// that a model would miss. Members that no version names pass.
///
/// @param version of the client
public record Dialect(ProtocolVersion version) {
    private static final Map<String, ProtocolVersion> NAMED =
            Map.of("title", V2025_06_18, Meta.META, V2025_06_18, "icons", V2025_11_25);
    private static final Map<String, ProtocolVersion> TOOL =
            and(NAMED, Map.of("annotations", V2025_03_26, "outputSchema", V2025_06_18, "execution", V2025_11_25));
    private static final Map<String, ProtocolVersion> INFO =
            Map.of("title", V2025_06_18, "description", V2025_11_25, "icons", V2025_11_25, "websiteUrl", V2025_11_25);
    private static final Map<String, ProtocolVersion> CAPABILITIES =
            Map.of("completions", V2025_03_26, "tasks", V2025_11_25, "extensions", V2026_07_28);
    private static final Map<String, ProtocolVersion> ANSWER =
            Map.of("resultType", V2026_07_28, "ttlMs", V2026_07_28, "cacheScope", V2026_07_28);
    private static final Map<String, ProtocolVersion> CONTENT = Map.of(Meta.META, V2025_06_18);
    /// No such resource, and an address that a person has to visit: 2025-11-25.
    private static final Set<Long> GONE = Set.of(-32_002L, -32_042L);

    private static final Map<String, ProtocolVersion> KINDS =
            Map.of("audio", V2025_03_26, "resource_link", V2025_06_18);

    /// `serverInfo` as this version has it.
    public JsonObject info(JsonObject info) {
        return known(info, INFO);
    }

    /// `capabilities` as this version has them.
    public JsonObject capabilities(JsonObject capabilities) {
        return without(known(capabilities, CAPABILITIES), "tasks");
    }

    /// `error` as this version has it: codes of single things that are missing went with the sessions.
    public RpcError error(RpcError error) {
        return version.isStateless() && GONE.contains(error.code())
                ? new RpcError(RpcError.INVALID_PARAMS, error.message(), error.data())
                : error;
    }

    /// The answer to `method` as this version has it.
    public JsonObject result(String method, JsonObject result) {
        var known = known(result, ANSWER);
        return switch (method) {
            case "tools/list" -> each(known, "tools", this::tool);
            case "tools/call" -> each(called(known), "content", this::content);
            case "prompts/list" -> each(known, "prompts", this::prompt);
            case "prompts/get" -> each(known, "messages", this::spoken);
            case "resources/list" -> each(known, "resources", resource -> known(resource, NAMED));
            case "resources/templates/list" -> each(known, "resourceTemplates", template -> known(template, NAMED));
            case "resources/read" -> each(known, "contents", contents -> known(contents, CONTENT));
            default -> known;
        };
    }

    private JsonObject tool(JsonObject tool) {
        return without(known(tool, TOOL), "execution");
    }

    /// `object` without what went out of the protocol with the sessions.
    private JsonObject without(JsonObject object, String name) {
        var members = new LinkedHashMap<>(object.members());
        return version.isStateless() && members.remove(name) != null ? new JsonObject(members) : object;
    }

    /// What a tool found, in words too where the version has no other form for it.
    private JsonObject called(JsonObject result) {
        var structured = result.member("structuredContent");
        if (structured.isEmpty() || carries(structured.get())) {
            return result;
        }
        var members = new LinkedHashMap<>(result.members());
        members.remove("structuredContent");
        if (!hasContent(result)) {
            members.put("content", new JsonArray(List.of(text(structured.get().write()))));
        }
        return new JsonObject(members);
    }

    /// With sessions a tool finds an object or nothing of structure.
    private boolean carries(JsonValue structured) {
        return version.isStateless() || (version.isAtLeast(V2025_06_18) && structured instanceof JsonObject);
    }

    private static boolean hasContent(JsonObject result) {
        return result.member("content").orElse(new JsonString("")) instanceof JsonArray(List<JsonValue> items)
                && !items.isEmpty();
    }

    private JsonObject prompt(JsonObject prompt) {
        return each(known(prompt, NAMED), "arguments", argument -> known(argument, NAMED));
    }

    private JsonObject spoken(JsonObject message) {
        return message.member("content").orElse(new JsonString("")) instanceof JsonObject content
                ? with(message, "content", content(content))
                : message;
    }

    private JsonObject content(JsonObject content) {
        var since = KINDS.getOrDefault(content.text("type").orElse(""), version);
        return version.isAtLeast(since) ? known(content, CONTENT) : text(inWords(content));
    }

    private static String inWords(JsonObject content) {
        return content.text("uri")
                .orElseGet(() -> "[%s of type %s, which this version of the protocol cannot carry]"
                        .formatted(
                                content.text("type").orElse("content"),
                                content.text("mimeType").orElse("unknown")));
    }

    private static JsonObject text(String text) {
        return Json.object().put("type", "text").put("text", text).build();
    }

    private JsonObject known(JsonObject object, Map<String, ProtocolVersion> since) {
        var members = new LinkedHashMap<>(object.members());
        members.keySet().removeIf(name -> !version.isAtLeast(since.getOrDefault(name, version)));
        return members.size() == object.members().size() ? object : new JsonObject(members);
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

    private static JsonObject with(JsonObject object, String name, JsonValue value) {
        var members = new LinkedHashMap<>(object.members());
        members.put(name, value);
        return new JsonObject(members);
    }

    private static Map<String, ProtocolVersion> and(
            Map<String, ProtocolVersion> some, Map<String, ProtocolVersion> more) {
        var all = new LinkedHashMap<>(some);
        all.putAll(more);
        return Map.copyOf(all);
    }
}
