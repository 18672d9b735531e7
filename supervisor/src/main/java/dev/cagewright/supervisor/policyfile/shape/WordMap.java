package dev.cagewright.supervisor.policyfile.shape;

import dev.cagewright.supervisor.policyfile.yaml.Node;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// A mapping whose keys the author chooses.
public record WordMap<T>(String expected, ScalarShape<String> word, Shape<T> value) implements Shape<Map<String, T>> {
    @Override
    public Optional<Map<String, T>> bind(Node node, Binding here) {
        if (!(node instanceof Node.Mapping mapping)) {
            here.refuseKind(node, expected, "");
            return Optional.empty();
        }
        var values = new LinkedHashMap<String, T>();
        for (var entry : mapping.entries()) {
            var at = here.key(entry.key().text(), entry.key().at());
            var name = word.bind(entry.key(), here);
            value.bind(entry.value(), at).ifPresent(found -> name.ifPresent(key -> values.put(key, found)));
        }
        return values.size() == mapping.entries().size() ? Optional.of(values) : Optional.empty();
    }

    @Override
    public Map<String, Object> schema() {
        var schema = Keywords.of("type", "object", "propertyNames", word.schema());
        schema.put("additionalProperties", value.schema());
        return schema;
    }
}
