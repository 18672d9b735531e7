package dev.cagewright.supervisor.schema;

import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.action.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads one schema into rules. For one thread.
final class SchemaReader {
    /// They say something to people, or where the schema is from, and nothing about a value.
    private static final Set<String> ABOUT = Set.of(
            "$schema",
            "$id",
            "$comment",
            "$defs",
            "definitions",
            "title",
            "description",
            "default",
            "examples",
            "deprecated",
            "readOnly",
            "writeOnly");

    private static final int MOST_SCHEMAS = 5_000;

    private final JsonValue root;
    private final JsonSchema.Reading reading;
    private final Map<String, Ref> references = new HashMap<>();
    private final List<Ref> unread = new ArrayList<>();
    private int schemas;

    private SchemaReader(JsonValue root, JsonSchema.Reading reading) {
        this.root = root;
        this.reading = reading;
    }

    /// A place of the schema that is referred to.
    private static final class Ref {
        private final String pointer;
        private final JsonValue schema;
        private @Nullable Rule rule;

        Ref(String pointer, JsonValue schema) {
            this.pointer = pointer;
            this.schema = schema;
        }

        Optional<Violation> violation(JsonValue value, String at, Work work) {
            var ready = rule;
            if (ready == null) {
                throw new IllegalStateException("$ref " + pointer + ": unread (expected: read with the schema)");
            }
            return ready.violation(value, at, work);
        }
    }

    static JsonSchema read(JsonValue schema, JsonSchema.Reading reading) throws BadSchemaException {
        if (schema.bytes().length > JsonSchema.MAX_BYTES) {
            throw new BadSchemaException("", "a schema of more than " + JsonSchema.MAX_BYTES + " bytes");
        }
        var reader = new SchemaReader(schema, reading);
        var rule = reader.schema(schema, "");
        while (!reader.unread.isEmpty()) {
            var reference = reader.unread.removeLast();
            reference.rule = reader.schema(reference.schema, reference.pointer);
        }
        return new JsonSchema(rule);
    }

    boolean isStrict() {
        return reading == JsonSchema.Reading.STRICT;
    }

    /// The rule that `schema` is.
    Rule schema(JsonValue schema, String pointer) throws BadSchemaException {
        if (++schemas > MOST_SCHEMAS) {
            throw new BadSchemaException(pointer, "more than " + MOST_SCHEMAS + " schemas in one");
        }
        return switch (schema) {
            case JsonBoolean(boolean isAnything) ->
                (_, at, _) -> isAnything ? Optional.empty() : Optional.of(new Violation(at, "has no place here"));
            case JsonObject object -> rules(object, pointer);
            default -> throw new BadSchemaException(pointer, "a schema is a mapping, true or false");
        };
    }

    private Rule rules(JsonObject schema, String pointer) throws BadSchemaException {
        var keywords = new Keyword(this, schema, pointer);
        var rules = new ArrayList<Rule>();
        for (String name : schema.members().keySet()) {
            if (!ABOUT.contains(name)) {
                keywords.rule(name).ifPresent(rules::add);
            }
        }
        var all = List.copyOf(rules);
        return (value, at, work) -> {
            work.enter();
            for (Rule rule : all) {
                var found = rule.violation(value, at, work);
                if (found.isPresent()) {
                    work.leave();
                    return found;
                }
            }
            work.leave();
            return Optional.empty();
        };
    }

    /// The rule of the place that `$ref` names.
    Rule reference(JsonValue value, String pointer) throws BadSchemaException {
        if (!(value instanceof JsonString(String text)) || !(text.equals("#") || text.startsWith("#/"))) {
            if (isStrict()) {
                throw new BadSchemaException(
                        pointer,
                        "a $ref to somewhere else: only places of the same schema, such"
                                + " as #/$defs/name, can be referred to; nothing is fetched");
            }
            return (_, _, _) -> Optional.empty();
        }
        var to = text.substring(1);
        var known = references.get(to);
        if (known == null) {
            known = new Ref(to, place(to, pointer));
            references.put(to, known);
            unread.add(known);
        }
        return known::violation;
    }

    private JsonValue place(String to, String pointer) throws BadSchemaException {
        return Pointer.in(root, to)
                .orElseThrow(() -> new BadSchemaException(
                        pointer, "$ref to #" + ByteString.of(to).printable() + ", which is not there"));
    }
}
