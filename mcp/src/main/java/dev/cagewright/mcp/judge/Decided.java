package dev.cagewright.mcp.judge;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;

/// The member of `_meta` by which a result says what was decided about it.
public final class Decided {
    /// Its name. Whatever a server puts under this prefix is dropped.
    public static final String META = "dev.cagewright/decision";

    static final String PREFIX = "dev.cagewright/";

    private Decided() {}

    /// A tool result that says `text` and is an error.
    static JsonObject error(String text, JsonObject told) {
        var content = Json.object().put("type", "text").put("text", text).build();
        return Json.object()
                .put("content", List.of(content))
                .put("isError", true)
                .put("_meta", Json.object().put(META, told).build())
                .build();
    }

    /// `result` with `told` in its `_meta`, and nothing there that only looks so.
    static JsonObject in(JsonObject result, JsonObject told) {
        var meta = new LinkedHashMap<String, JsonValue>();
        if (result.member("_meta").orElse(JsonObject.EMPTY) instanceof JsonObject given) {
            given.members().forEach((name, value) -> {
                if (!name.startsWith(PREFIX)) {
                    meta.put(name, value);
                }
            });
        }
        meta.put(META, told);
        var members = new LinkedHashMap<>(result.members());
        members.put("_meta", new JsonObject(meta));
        return new JsonObject(members);
    }
}
