package dev.cagewright.mcp.pin;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.supervisor.schema.Pointer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// What is other in a definition than it was, part by part.
public final class PinDiff {
    private PinDiff() {}

    /// One part.
    ///
    /// @param effect whether it is there now, or was before
    /// @param pointer where, RFC 6901
    /// @param value as JSON: what a terminal obeys or nobody sees is escaped
    public record Line(Effect effect, String pointer, String value) {
        /// E.g. `- /description "Reads a file"`.
        @Override
        public String toString() {
            return (effect == Effect.IS ? "+ " : "- ") + pointer + " " + value;
        }
    }

    /// Which side of the change.
    public enum Effect {
        WAS,
        IS
    }

    /// Every part of `pin` that is not as it was accepted; of one that nobody accepted, every part.
    public static List<Line> of(Pin pin) {
        var before = parts(pin.accepted().orElse(JsonObject.EMPTY));
        var after = parts(pin.offered().orElse(JsonObject.EMPTY));
        var pointers = new LinkedHashSet<>(before.keySet());
        pointers.addAll(after.keySet());
        var lines = new ArrayList<Line>();
        for (String pointer : pointers) {
            var was = before.get(pointer);
            var is = after.get(pointer);
            if (was != null && !was.equals(is)) {
                lines.add(new Line(Effect.WAS, pointer, was));
            }
            if (is != null && !is.equals(was)) {
                lines.add(new Line(Effect.IS, pointer, is));
            }
        }
        return lines;
    }

    private static Map<String, String> parts(JsonObject definition) {
        var parts = new LinkedHashMap<String, String>();
        collect(definition, "", parts);
        return parts;
    }

    /// Single values, and what has nothing in it.
    private static void collect(JsonValue value, String pointer, Map<String, String> parts) {
        switch (value) {
            case JsonObject object
            when !object.members().isEmpty() ->
                object.members().forEach((name, member) -> collect(member, Pointer.child(pointer, name), parts));
            case JsonArray(List<JsonValue> items)
            when items.stream().anyMatch(item -> item instanceof JsonObject || item instanceof JsonArray) -> {
                for (int i = 0; i < items.size(); i++) {
                    collect(items.get(i), pointer + "/" + i, parts);
                }
            }
            default -> parts.put(new JsonString(pointer).write().replaceAll("^\"|\"$", ""), value.write());
        }
    }
}
