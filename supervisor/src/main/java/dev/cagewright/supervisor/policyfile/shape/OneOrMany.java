package dev.cagewright.supervisor.policyfile.shape;

import dev.cagewright.supervisor.policyfile.yaml.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A list, or the one value of it without brackets.
public record OneOrMany<T>(ListShape<T> list) implements Shape<List<T>> {
    @Override
    public Optional<List<T>> bind(Node node, Binding here) {
        return node instanceof Node.Scalar ? list.item().bind(node, here).map(List::of) : list.bind(node, here);
    }

    @Override
    public Map<String, Object> schema() {
        return Keywords.of("anyOf", List.of(list.item().schema(), list.schema()));
    }

    @Override
    public String expected() {
        return list.item().expected() + " or " + list.expected();
    }
}
