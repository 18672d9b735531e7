package dev.cagewright.supervisor.schema;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNull;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.schema.pattern.LinearPattern;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The keywords of one schema, each read into the rule that it is.
///
/// @param pointer of the schema
record Keyword(SchemaReader reader, JsonObject schema, String pointer) {
    private static final List<String> TYPES =
            List.of("object", "array", "string", "number", "integer", "boolean", "null");

    /// Those that are known.
    static final List<String> KNOWN = List.of(("type,enum,const,properties,required,additionalProperties,propertyNames,"
                    + "patternProperties,minProperties,maxProperties,items,prefixItems,minItems,maxItems,uniqueItems,"
                    + "minLength,maxLength,pattern,minimum,maximum,exclusiveMinimum,exclusiveMaximum,allOf,anyOf,oneOf,"
                    + "not,$ref,$defs,title,description,default")
            .split(",", -1));
    /// The rule; empty for one that says nothing about values by itself.
    Optional<Rule> rule(String name) throws BadSchemaException {
        var value = schema.members().get(name);
        if (value == null) {
            throw new IllegalStateException("keyword: " + name + " (expected: one that is there)");
        }
        return switch (name) {
            case "type" -> Optional.of(type(value));
            case "enum" -> Optional.of(oneOf(list(name, value).items()));
            case "const" -> Optional.of(oneOf(List.of(value)));
            case "$ref" -> Optional.of(reader.reference(value, at(name)));
            case "allOf", "anyOf", "oneOf", "not" -> Optional.of(combined(name, value));
            case "minLength", "maxLength", "pattern" -> text(name, value);
            case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum" -> Optional.of(bound(name, value));
            case "minItems", "maxItems", "minProperties", "maxProperties" ->
                Optional.of(size(name, whole(name, value)));
            case "properties", "required", "additionalProperties", "propertyNames", "patternProperties" ->
                Optional.of(new MemberKeyword(this).rule(name, value));
            case "items", "prefixItems", "uniqueItems" -> Optional.of(new ItemKeyword(this).rule(name, value));
            default -> unknown(name);
        };
    }

    private Optional<Rule> unknown(String name) throws BadSchemaException {
        if (reader.isStrict()) {
            throw BadSchemaException.unknown(at(name), "the keyword " + new JsonString(name).brief() + " is not known");
        }
        return Optional.empty();
    }

    String at(String name) {
        return Pointer.child(pointer, name);
    }

    private Rule type(JsonValue value) throws BadSchemaException {
        var names = value instanceof JsonArray(List<JsonValue> items) ? items : List.of(value);
        var types = new HashSet<String>();
        for (JsonValue one : names) {
            if (!(one instanceof JsonString(String text)) || !TYPES.contains(text)) {
                throw new BadSchemaException(at("type"), "a type that is none of " + String.join(", ", TYPES));
            }
            types.add(text);
        }
        var expected = types.stream().sorted().collect(Collectors.joining(" or "));
        return (found, at, _) ->
                isOf(types, found) ? Optional.empty() : Optional.of(new Violation(at, "is no " + expected));
    }

    private static boolean isOf(Set<String> types, JsonValue value) {
        return switch (value) {
            case JsonObject _ -> types.contains("object");
            case JsonArray _ -> types.contains("array");
            case JsonString _ -> types.contains("string");
            case JsonBoolean _ -> types.contains("boolean");
            case JsonNull _ -> types.contains("null");
            case JsonNumber number -> types.contains("number") || (types.contains("integer") && isWhole(number));
        };
    }

    private static boolean isWhole(JsonNumber number) {
        var value = new BigDecimal(number.text());
        return value.signum() == 0 || value.stripTrailingZeros().scale() <= 0;
    }

    private static Rule oneOf(List<JsonValue> values) {
        var keys = values.stream().map(SameValue::key).collect(Collectors.toSet());
        var expected = values.stream()
                .limit(8)
                .map(value -> value instanceof JsonString text ? text.brief() : brief(value))
                .collect(Collectors.joining(", "));
        return (value, at, work) -> {
            work.step();
            return keys.contains(SameValue.key(value))
                    ? Optional.empty()
                    : Optional.of(new Violation(at, "is none of " + expected));
        };
    }

    private static String brief(JsonValue value) {
        var text = value.write();
        return text.length() > 64 ? text.substring(0, 64) + "..." : text;
    }

    private Rule combined(String name, JsonValue value) throws BadSchemaException {
        if (name.equals("not")) {
            var inner = reader.schema(value, at(name));
            if (!reader.isStrict()) {
                return (_, _, _) -> Optional.empty();
            }
            return (found, at, work) -> inner.violation(found, at, work).isPresent()
                    ? Optional.empty()
                    : Optional.of(new Violation(at, "is what it must not be"));
        }
        var rules = new Rule[list(name, value).items().size()];
        for (int i = 0; i < rules.length; i++) {
            rules[i] = reader.schema(list(name, value).items().get(i), at(name) + "/" + i);
        }
        var all = List.of(rules);
        return switch (name) {
            case "allOf" -> (found, at, work) -> firstOf(all, found, at, work);
            case "anyOf" ->
                (found, at, work) -> fitting(all, found, at, work) > 0
                        ? Optional.empty()
                        : Optional.of(new Violation(at, "fits none of the " + all.size() + " schemas of anyOf"));
            default ->
                (found, at, work) -> {
                    int fitting = fitting(all, found, at, work);
                    return fitting == 1 || (fitting > 1 && !reader.isStrict())
                            ? Optional.empty()
                            : Optional.of(new Violation(
                                    at,
                                    "fits " + fitting + " of the " + all.size() + " schemas of oneOf, and not one"));
                };
        };
    }

    private static Optional<Violation> firstOf(List<Rule> all, JsonValue found, String at, Work work) {
        return all.stream()
                .flatMap(rule -> rule.violation(found, at, work).stream())
                .findFirst();
    }

    private static int fitting(List<Rule> all, JsonValue found, String at, Work work) {
        return (int) all.stream()
                .filter(rule -> rule.violation(found, at, work).isEmpty())
                .count();
    }

    private Optional<Rule> text(String name, JsonValue value) throws BadSchemaException {
        if (name.equals("pattern")) {
            return pattern(value)
                    .map(pattern -> ofText(
                            (text, _) -> pattern.isIn(text),
                            "does not match the pattern "
                                    + ByteString.of(pattern.toString()).printable()));
        }
        long length = whole(name, value);
        return Optional.of(
                name.equals("minLength")
                        ? ofText(
                                (text, _) -> text.codePointCount(0, text.length()) >= length,
                                "is shorter than " + length + " characters")
                        : ofText(
                                (text, _) -> text.codePointCount(0, text.length()) <= length,
                                "is longer than " + length + " characters"));
    }

    private static Rule ofText(BiPredicate<String, Work> fits, String why) {
        return (value, at, work) -> {
            work.step();
            return value instanceof JsonString(String text) && !fits.test(text, work)
                    ? Optional.of(new Violation(at, why))
                    : Optional.empty();
        };
    }

    /// Empty for one that cannot be matched, where that is no error.
    Optional<LinearPattern> pattern(JsonValue value) throws BadSchemaException {
        if (!(value instanceof JsonString(String text))) {
            throw new BadSchemaException(at("pattern"), "a pattern is a text");
        }
        return pattern(at("pattern"), text);
    }

    /// The same of one that stands elsewhere.
    Optional<LinearPattern> pattern(String at, String text) throws BadSchemaException {
        try {
            return Optional.of(LinearPattern.of(text));
        } catch (IllegalArgumentException e) {
            if (reader.isStrict()) {
                throw new BadSchemaException(at, "the pattern has " + e.getMessage());
            }
            return Optional.empty();
        }
    }

    private Rule bound(String name, JsonValue value) throws BadSchemaException {
        if (!(value instanceof JsonNumber number) || SameValue.isFar(new BigDecimal(number.text()))) {
            throw new BadSchemaException(at(name), name + " has to be a number of usual size");
        }
        var bound = new BigDecimal(number.text());
        return (found, at, _) -> {
            if (!(found instanceof JsonNumber other)) {
                return Optional.empty();
            }
            int compared = new BigDecimal(other.text()).compareTo(bound);
            var why = switch (name) {
                case "minimum" -> compared < 0 ? "is less than " : null;
                case "maximum" -> compared > 0 ? "is more than " : null;
                case "exclusiveMinimum" -> compared <= 0 ? "is not more than " : null;
                default -> compared >= 0 ? "is not less than " : null;
            };
            return violation(at, why, number.text());
        };
    }

    private static Optional<Violation> violation(String at, @Nullable String why, String bound) {
        return why == null ? Optional.empty() : Optional.of(new Violation(at, why + bound));
    }

    private static Rule size(String name, long bound) {
        boolean isLeast = name.startsWith("min");
        boolean isOfItems = name.endsWith("Items");
        var why = "has " + (isLeast ? "fewer" : "more") + " than " + bound + (isOfItems ? " items" : " members");
        return (value, at, _) -> {
            int size = switch (value) {
                case JsonArray(List<JsonValue> items) when isOfItems -> items.size();
                case JsonObject object when !isOfItems -> object.members().size();
                default -> -1;
            };
            boolean fits = size < 0 || (isLeast ? size >= bound : size <= bound);
            return fits ? Optional.empty() : Optional.of(new Violation(at, why));
        };
    }

    private long whole(String name, JsonValue value) throws BadSchemaException {
        if (value instanceof JsonNumber number && number.text().matches("[0-9]{1,15}")) {
            return number.asLong();
        }
        throw new BadSchemaException(at(name), name + " has to be a whole number from 0");
    }

    JsonArray list(String name, JsonValue value) throws BadSchemaException {
        if (value instanceof JsonArray list && !list.items().isEmpty()) {
            return list;
        }
        throw new BadSchemaException(at(name), name + " has to be a list with something in it");
    }
}
