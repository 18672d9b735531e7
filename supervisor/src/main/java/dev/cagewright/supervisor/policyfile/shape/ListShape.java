package dev.cagewright.supervisor.policyfile.shape;

import dev.cagewright.supervisor.policyfile.yaml.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A list. An empty one is a list that grants nothing, never an absent one.
///
/// @param least how many items at least
public record ListShape<T>(String expected, Shape<T> item, int least) implements Shape<List<T>> {
    public ListShape(String expected, Shape<T> item) {
        this(expected, item, 0);
    }

    @Override
    public Optional<List<T>> bind(Node node, Binding here) {
        if (!(node instanceof Node.Sequence sequence)) {
            here.refuseKind(node, expected, "put it in [ ], or each item on its own line after \"- \"");
            return Optional.empty();
        }
        if (sequence.items().size() < least) {
            here.refuse(node.at(), here.field() + ": the list is empty", "expected " + expected);
            return Optional.empty();
        }
        var values = new ArrayList<T>();
        for (int i = 0; i < sequence.items().size(); i++) {
            var found = sequence.items().get(i);
            item.bind(found, here.item(i, found.at())).ifPresent(values::add);
        }
        return values.size() == sequence.items().size() ? Optional.of(List.copyOf(values)) : Optional.empty();
    }

    @Override
    public Map<String, Object> schema() {
        var schema = new LinkedHashMap<String, Object>();
        schema.put("type", "array");
        schema.put("items", item.schema());
        if (least > 0) {
            schema.put("minItems", least);
        }
        return schema;
    }
}
