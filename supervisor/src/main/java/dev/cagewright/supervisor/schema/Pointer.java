package dev.cagewright.supervisor.schema;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import java.util.Optional;

/// JSON pointers, RFC 6901.
public final class Pointer {
    private Pointer() {}

    /// `pointer` with one step more.
    public static String child(String pointer, String name) {
        return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
    }

    /// What a step of a pointer names.
    public static String name(String step) {
        return step.replace("~1", "/").replace("~0", "~");
    }

    /// What stands at `pointer`.
    public static Optional<JsonValue> in(JsonValue root, String pointer) {
        Optional<JsonValue> here = Optional.of(root);
        if (pointer.isEmpty()) {
            return here;
        }
        for (String step : pointer.substring(1).split("/", -1)) {
            here = here.flatMap(value -> step(value, name(step)));
        }
        return here;
    }

    private static Optional<JsonValue> step(JsonValue value, String name) {
        return switch (value) {
            case JsonObject object -> object.member(name);
            case JsonArray array
            when name.matches("0|[1-9][0-9]{0,8}")
                    && Integer.parseInt(name) < array.items().size() ->
                Optional.of(array.items().get(Integer.parseInt(name)));
            default -> Optional.empty();
        };
    }
}
