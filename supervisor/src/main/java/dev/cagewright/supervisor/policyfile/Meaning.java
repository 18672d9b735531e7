package dev.cagewright.supervisor.policyfile;

import dev.cagewright.supervisor.policyfile.yaml.Node;
import dev.cagewright.supervisor.policyfile.yaml.PlainType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A document without places, notations and comments: equal when two texts say the same.
sealed interface Meaning {
    record Single(String text, PlainType type) implements Meaning {}

    record Several(List<Meaning> items) implements Meaning {}

    record Named(Map<String, Meaning> values) implements Meaning {}

    static Meaning of(Node node) {
        return switch (node) {
            case Node.Scalar scalar -> new Single(scalar.text(), scalar.type());
            case Node.Sequence list ->
                new Several(list.items().stream().map(Meaning::of).toList());
            case Node.Mapping map -> {
                var values = new LinkedHashMap<String, Meaning>();
                map.entries().forEach(entry -> values.put(entry.key().text(), of(entry.value())));
                yield new Named(values);
            }
            case Node.Refused refused ->
                throw new IllegalArgumentException("node at " + refused.at() + ": refused (expected: a readable one)");
        };
    }

    /// This with `item` appended to the list at `path`.
    default Meaning with(List<String> path, Meaning item) {
        if (path.isEmpty()) {
            var items = new ArrayList<>(this instanceof Several several ? several.items() : List.<Meaning>of());
            items.add(item);
            return new Several(items);
        }
        var values = new LinkedHashMap<>(this instanceof Named named ? named.values() : Map.<String, Meaning>of());
        var key = path.getFirst();
        values.put(key, values.getOrDefault(key, new Named(Map.of())).with(path.subList(1, path.size()), item));
        return new Named(values);
    }

    /// This with `value` at `path`, whatever stands there.
    default Meaning saying(List<String> path, Meaning value) {
        if (path.isEmpty()) {
            return value;
        }
        var values = new LinkedHashMap<>(this instanceof Named named ? named.values() : Map.<String, Meaning>of());
        var key = path.getFirst();
        values.put(key, values.getOrDefault(key, new Named(Map.of())).saying(path.subList(1, path.size()), value));
        return new Named(values);
    }
}
