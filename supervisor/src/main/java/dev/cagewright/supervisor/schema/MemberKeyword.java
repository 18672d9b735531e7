package dev.cagewright.supervisor.schema;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.supervisor.schema.pattern.LinearPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The keywords about the members of an object.
record MemberKeyword(Keyword keywords) {
    Rule rule(String name, JsonValue value) throws BadSchemaException {
        return switch (name) {
            case "properties" -> properties(value);
            case "required" -> required(value);
            case "propertyNames" -> names(value);
            case "patternProperties" -> patterned(value);
            default -> additional(value);
        };
    }

    private Rule properties(JsonValue value) throws BadSchemaException {
        if (!(value instanceof JsonObject object)) {
            throw new BadSchemaException(keywords.at("properties"), "properties has to be a mapping");
        }
        Map<String, Rule> rules = new HashMap<>();
        for (var member : object.members().entrySet()) {
            rules.put(
                    member.getKey(),
                    keywords.reader()
                            .schema(member.getValue(), Pointer.child(keywords.at("properties"), member.getKey())));
        }
        return (found, at, work) -> {
            if (!(found instanceof JsonObject members)) {
                return Optional.empty();
            }
            for (var member : members.members().entrySet()) {
                var rule = rules.get(member.getKey());
                var wrong = rule == null
                        ? Optional.<Violation>empty()
                        : rule.violation(member.getValue(), Pointer.child(at, member.getKey()), work);
                if (wrong.isPresent()) {
                    return wrong;
                }
            }
            return Optional.empty();
        };
    }

    private record Patterned(Optional<LinearPattern> pattern, Rule rule) {
        /// One that cannot be read may be about anything.
        boolean isAbout(String name) {
            return pattern.isEmpty() || pattern.get().isIn(name);
        }
    }

    private List<Patterned> patterns(JsonValue value) throws BadSchemaException {
        var at = keywords.at("patternProperties");
        if (!(value instanceof JsonObject object)) {
            throw new BadSchemaException(at, "patternProperties has to be a mapping");
        }
        var all = new ArrayList<Patterned>();
        for (var member : object.members().entrySet()) {
            var here = Pointer.child(at, member.getKey());
            all.add(new Patterned(
                    keywords.pattern(here, member.getKey()), keywords.reader().schema(member.getValue(), here)));
        }
        return all;
    }

    private Rule patterned(JsonValue value) throws BadSchemaException {
        var all = patterns(value);
        return (found, at, work) -> found instanceof JsonObject object
                ? object.members().entrySet().stream()
                        .flatMap(member -> all.stream()
                                .filter(one -> one.pattern().isPresent() && one.isAbout(member.getKey()))
                                .flatMap(one -> one
                                        .rule()
                                        .violation(member.getValue(), Pointer.child(at, member.getKey()), work)
                                        .stream()))
                        .findFirst()
                : Optional.empty();
    }

    private Rule required(JsonValue value) throws BadSchemaException {
        var names = new ArrayList<String>();
        for (JsonValue name : value instanceof JsonArray(List<JsonValue> items) ? items : List.of(value)) {
            if (!(name instanceof JsonString(String text))) {
                throw new BadSchemaException(keywords.at("required"), "required has to be a list of names");
            }
            names.add(text);
        }
        return (found, at, _) -> found instanceof JsonObject object
                ? names.stream()
                        .filter(name -> object.member(name).isEmpty())
                        .findFirst()
                        .map(name -> new Violation(at, "has no " + new JsonString(name).brief()))
                : Optional.empty();
    }

    private Rule names(JsonValue value) throws BadSchemaException {
        var inner = keywords.reader().schema(value, keywords.at("propertyNames"));
        return (found, at, work) -> found instanceof JsonObject object
                ? object.members().keySet().stream()
                        .flatMap(name -> inner.violation(new JsonString(name), at, work).stream())
                        .findFirst()
                : Optional.empty();
    }

    /// What `properties` beside it does not name.
    private Rule additional(JsonValue value) throws BadSchemaException {
        var inner = keywords.reader().schema(value, keywords.at("additionalProperties"));
        Set<String> named = keywords.schema().member("properties").orElse(JsonObject.EMPTY) instanceof JsonObject object
                ? object.members().keySet()
                : Set.of();
        var patterned = keywords.schema().member("patternProperties");
        var patterns = patterned.isPresent() ? patterns(patterned.get()) : List.<Patterned>of();
        return (found, at, work) -> {
            if (!(found instanceof JsonObject object)) {
                return Optional.empty();
            }
            for (var member : object.members().entrySet()) {
                boolean isNamed = named.contains(member.getKey())
                        || patterns.stream().anyMatch(one -> one.isAbout(member.getKey()));
                var wrong = isNamed
                        ? Optional.<Violation>empty()
                        : inner.violation(member.getValue(), Pointer.child(at, member.getKey()), work);
                if (wrong.isPresent()) {
                    return wrong;
                }
            }
            return Optional.empty();
        };
    }
}
