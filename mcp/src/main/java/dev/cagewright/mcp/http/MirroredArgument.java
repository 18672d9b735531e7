package dev.cagewright.mcp.http;

import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNull;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// An argument of a tool that has to stand in the head of HTTP too, as the tool's `inputSchema` says with
/// `x-mcp-header`: 2026-07-28, "Streamable HTTP", "Custom Headers".
///
/// @param path names of properties, from the outermost
/// @param header behind `Mcp-Param-`
record MirroredArgument(List<String> path, String header) {
    private static final String MARK = "x-mcp-header";
    private static final int MOST = 64;

    /// A number that is compared as one.
    private static final String DECIMAL = "-?[0-9]{1,30}(\\.[0-9]{1,30})?";

    MirroredArgument {
        path = List.copyOf(path);
    }

    /// Those that `schema` marks where only names of properties lead; at most 64 of them.
    static List<MirroredArgument> all(JsonObject schema) {
        var all = new ArrayList<MirroredArgument>();
        collect(schema, List.of(), all);
        return all;
    }

    private static void collect(JsonObject schema, List<String> path, List<MirroredArgument> all) {
        if (!(schema.member("properties").orElse(JsonObject.EMPTY) instanceof JsonObject properties)) {
            return;
        }
        properties.members().forEach((name, value) -> {
            if (value instanceof JsonObject property) {
                var here = new ArrayList<>(path);
                here.add(name);
                property.text(MARK)
                        .filter(header -> header.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}") && all.size() < MOST)
                        .ifPresent(header -> all.add(new MirroredArgument(here, header)));
                collect(property, here, all);
            }
        });
    }

    /// The name of the field.
    String field() {
        return "Mcp-Param-" + header;
    }

    /// The same as it is looked for.
    String key() {
        return field().toLowerCase(Locale.ROOT);
    }

    /// What the head has to say; empty where the call has no such argument, or one that no head can say.
    Optional<JsonValue> in(JsonObject arguments) {
        JsonValue value = arguments;
        for (String name : path) {
            value = value instanceof JsonObject object ? object.member(name).orElse(new JsonNull()) : new JsonNull();
        }
        return Optional.of(value)
                .filter(one -> one instanceof JsonString || one instanceof JsonNumber || one instanceof JsonBoolean);
    }

    /// Does `told` say `value`?
    static boolean says(String told, JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> told.equals(text);
            case JsonNumber number
            when told.matches(DECIMAL) && number.text().matches(DECIMAL) ->
                new BigDecimal(told).compareTo(new BigDecimal(number.text())) == 0;
            default -> told.equals(value.write());
        };
    }
}
