package dev.cagewright.supervisor.schema;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// The keywords about the items of an array.
record ItemKeyword(Keyword keywords) {
    Rule rule(String name, JsonValue value) throws BadSchemaException {
        return switch (name) {
            case "prefixItems" -> first(value);
            case "uniqueItems" -> unique(value);
            default -> items(value);
        };
    }

    private Rule items(JsonValue value) throws BadSchemaException {
        if (value instanceof JsonArray && keywords.reader().isStrict()) {
            throw new BadSchemaException(
                    keywords.at("items"), "items has to be one schema; prefixItems has one for each place");
        }
        if (value instanceof JsonArray) {
            return first(value);
        }
        var inner = keywords.reader().schema(value, keywords.at("items"));
        int from = keywords.schema()
                .member("prefixItems")
                .map(list -> list instanceof JsonArray(List<JsonValue> some) ? some.size() : 0)
                .orElse(0);
        return (found, at, work) -> {
            if (!(found instanceof JsonArray(List<JsonValue> items))) {
                return Optional.empty();
            }
            for (int i = from; i < items.size(); i++) {
                var wrong = inner.violation(items.get(i), at + "/" + i, work);
                if (wrong.isPresent()) {
                    return wrong;
                }
            }
            return Optional.empty();
        };
    }

    private Rule first(JsonValue value) throws BadSchemaException {
        var schemas = keywords.list("prefixItems", value).items();
        var rules = new ArrayList<Rule>();
        for (int i = 0; i < schemas.size(); i++) {
            rules.add(keywords.reader().schema(schemas.get(i), keywords.at("prefixItems") + "/" + i));
        }
        return (found, at, work) -> {
            if (!(found instanceof JsonArray(List<JsonValue> items))) {
                return Optional.empty();
            }
            for (int i = 0; i < Math.min(items.size(), rules.size()); i++) {
                var wrong = rules.get(i).violation(items.get(i), at + "/" + i, work);
                if (wrong.isPresent()) {
                    return wrong;
                }
            }
            return Optional.empty();
        };
    }

    private Rule unique(JsonValue value) throws BadSchemaException {
        if (!(value instanceof JsonBoolean(boolean isAsked))) {
            throw new BadSchemaException(keywords.at("uniqueItems"), "uniqueItems has to be true or false");
        }
        return (found, at, work) -> {
            if (!isAsked || !(found instanceof JsonArray(List<JsonValue> items))) {
                return Optional.empty();
            }
            var seen = new HashSet<String>();
            for (JsonValue item : items) {
                work.step();
                if (!seen.add(SameValue.key(item))) {
                    return Optional.of(new Violation(at, "has the same item twice"));
                }
            }
            return Optional.empty();
        };
    }
}
