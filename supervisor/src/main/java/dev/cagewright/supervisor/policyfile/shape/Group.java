package dev.cagewright.supervisor.policyfile.shape;

import dev.cagewright.supervisor.policyfile.yaml.Node;
import dev.cagewright.supervisor.policyfile.yaml.Quoted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// A mapping with known keys, and no others.
///
/// @param alternatives names of which exactly one must stand there; empty for no such rule
/// @param make from the keys' values to the whole; may refuse with an [IllegalArgumentException]
public record Group<T>(
        String expected, List<GroupKey<?>> keys, List<String> alternatives, Function<GroupValues, T> make)
        implements Shape<T> {

    public static <T> Group<T> of(String expected, List<GroupKey<?>> keys, Function<GroupValues, T> make) {
        return new Group<>(expected, keys, List.of(), make);
    }

    public Group<T> withExactlyOneOf(List<String> names) {
        return new Group<>(expected, keys, names, make);
    }

    @Override
    public Optional<T> bind(Node node, Binding here) {
        if (!(node instanceof Node.Mapping mapping)) {
            here.refuseKind(node, expected, "");
            return Optional.empty();
        }
        var values = new GroupValues();
        var seen = new HashMap<String, Node.Entry>();
        boolean good = true;
        for (var entry : mapping.entries()) {
            good &= bindEntry(entry, here, values, seen);
        }
        good &= hasRequiredKeys(mapping, here, seen.keySet());
        good &= hasOneAlternative(mapping, here, seen.keySet());
        return good ? made(mapping, here, values) : Optional.empty();
    }

    private boolean bindEntry(Node.Entry entry, Binding here, GroupValues values, Map<String, Node.Entry> seen) {
        var name = entry.key().text();
        var key = keys.stream().filter(candidate -> candidate.isNamed(name)).findFirst();
        if (key.isEmpty()) {
            here.refuse(entry.key().at(), "unknown key " + Quoted.of(name) + in(here), Nearest.hint(name, names()));
            return false;
        }
        var earlier = seen.putIfAbsent(key.get().name(), entry);
        if (earlier != null) {
            here.refuse(
                    entry.key().at(),
                    Quoted.of(name) + " is the same key as "
                            + Quoted.of(earlier.key().text()),
                    "first at " + earlier.key().at() + "; keep one of them");
            return false;
        }
        return bindValue(key.get(), entry, here, values);
    }

    private static <V> boolean bindValue(GroupKey<V> key, Node.Entry entry, Binding here, GroupValues values) {
        var value =
                key.shape().bind(entry.value(), here.key(key.name(), entry.key().at()));
        value.ifPresent(found -> values.put(key, found));
        return value.isPresent();
    }

    private boolean hasRequiredKeys(Node.Mapping mapping, Binding here, Set<String> seen) {
        var missing = keys.stream()
                .filter(key -> key.need() == GroupKey.Need.REQUIRED && !seen.contains(key.name()))
                .toList();
        missing.forEach(key -> here.refuse(
                mapping.at(),
                "key " + Quoted.of(key.name()) + " is missing" + in(here),
                "expected " + key.shape().expected()));
        return missing.isEmpty();
    }

    /// When a key is unknown, what is missing is probably that one, which was reported.
    private boolean hasOneAlternative(Node.Mapping mapping, Binding here, Set<String> seen) {
        long chosen = alternatives.stream().filter(seen::contains).count();
        boolean hasUnknown = seen.size() < mapping.entries().size();
        if (alternatives.isEmpty() || chosen == 1 || (chosen == 0 && hasUnknown)) {
            return true;
        }
        here.refuse(
                mapping.at(),
                (chosen == 0 ? "a key is missing" : chosen + " keys where one is meant") + in(here),
                "exactly one of " + String.join(", ", alternatives));
        return false;
    }

    private Optional<T> made(Node.Mapping mapping, Binding here, GroupValues values) {
        try {
            return Optional.of(make.apply(values));
        } catch (IllegalArgumentException e) {
            here.refuse(mapping, e);
            return Optional.empty();
        }
    }

    private static String in(Binding here) {
        return here.field().isEmpty() ? "" : " in " + here.field();
    }

    private List<String> names() {
        var names = new ArrayList<String>();
        for (var key : keys) {
            names.add(key.name());
            names.addAll(key.otherNames());
        }
        return names;
    }

    @Override
    public Map<String, Object> schema() {
        var properties = new LinkedHashMap<String, Object>();
        var rules = new ArrayList<Object>();
        for (var key : keys) {
            properties.put(key.name(), key.schema());
            for (var other : key.otherNames()) {
                properties.put(other, key.schema());
                rules.add(Keywords.of("not", Keywords.of("required", List.of(key.name(), other))));
            }
        }
        if (!alternatives.isEmpty()) {
            rules.add(Keywords.of(
                    "oneOf",
                    alternatives.stream()
                            .map(name -> Keywords.of("required", List.of(name)))
                            .toList()));
        }
        return schema(properties, rules);
    }

    private Map<String, Object> schema(Map<String, Object> properties, List<Object> rules) {
        var schema = new LinkedHashMap<String, Object>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("additionalProperties", false);
        var required = keys.stream()
                .filter(key -> key.need() == GroupKey.Need.REQUIRED)
                .map(GroupKey::name)
                .toList();
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        if (!rules.isEmpty()) {
            schema.put("allOf", rules);
        }
        return schema;
    }
}
