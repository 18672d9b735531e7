package dev.cagewright.mcp.protocol;

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
import java.util.Set;

/// An argument of a tool that has to stand in the head of HTTP too, as the tool's `inputSchema` says with
/// `x-mcp-header`: 2026-07-28, "Streamable HTTP", "Custom Headers".
///
/// @param path names of properties, from the outermost
/// @param header behind `Mcp-Param-`
public record MirroredArgument(List<String> path, String header) {
    private static final String MARK = "x-mcp-header";
    private static final int MOST = 64;

    /// A number that is compared as one.
    private static final String DECIMAL = "-?[0-9]{1,30}(\\.[0-9]{1,30})?";

    /// What a marked argument may be of.
    private static final Set<String> SIMPLE = Set.of("string", "integer", "boolean");

    public MirroredArgument {
        path = List.copyOf(path);
    }

    /// Those that `schema` marks where only names of properties lead; at most 64 of them.
    ///
    /// @param isSound whether all can be followed: a name of its own each, on a text, whole number or boolean
    public record Marks(List<MirroredArgument> all, boolean isSound) {
        public Marks {
            all = List.copyOf(all);
        }
    }

    /// The marks of a tool's `inputSchema`.
    public static Marks marks(JsonObject schema) {
        var all = new ArrayList<MirroredArgument>();
        boolean isSound = collect(schema, List.of(), all);
        var names = all.stream().map(MirroredArgument::key).distinct().count();
        return new Marks(all, isSound && names == all.size());
    }

    private static boolean collect(JsonObject schema, List<String> path, List<MirroredArgument> all) {
        if (!(schema.member("properties").orElse(JsonObject.EMPTY) instanceof JsonObject properties)) {
            return true;
        }
        boolean isSound = true;
        for (var one : properties.members().entrySet()) {
            if (one.getValue() instanceof JsonObject property) {
                var here = new ArrayList<>(path);
                here.add(one.getKey());
                isSound &= property.member(MARK)
                        .map(mark -> keep(mark, property, here, all))
                        .orElse(true);
                isSound &= collect(property, here, all);
            }
        }
        return isSound;
    }

    private static boolean keep(JsonValue mark, JsonObject property, List<String> path, List<MirroredArgument> all) {
        var header = mark instanceof JsonString(String text) ? text : "";
        if (!header.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}") || all.size() >= MOST) {
            return false;
        }
        all.add(new MirroredArgument(path, header));
        return property.text("type").filter(SIMPLE::contains).isPresent();
    }

    /// The name of the field.
    public String field() {
        return "Mcp-Param-" + header;
    }

    /// The same as it is looked for.
    public String key() {
        return field().toLowerCase(Locale.ROOT);
    }

    /// What the head has to say; empty where the call has no such argument, or one that no head can say.
    public Optional<JsonValue> in(JsonObject arguments) {
        JsonValue value = arguments;
        for (String name : path) {
            value = value instanceof JsonObject object ? object.member(name).orElse(new JsonNull()) : new JsonNull();
        }
        return Optional.of(value)
                .filter(one -> one instanceof JsonString || one instanceof JsonNumber || one instanceof JsonBoolean);
    }

    /// Does `told` say `value`?
    public static boolean says(String told, JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> told.equals(text);
            case JsonNumber number
            when told.matches(DECIMAL) && number.text().matches(DECIMAL) ->
                new BigDecimal(told).compareTo(new BigDecimal(number.text())) == 0;
            default -> told.equals(value.write());
        };
    }
}
