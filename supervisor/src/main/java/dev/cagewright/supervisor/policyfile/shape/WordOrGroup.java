package dev.cagewright.supervisor.policyfile.shape;

import dev.cagewright.supervisor.policyfile.yaml.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// A mapping, or in its place the one word that says the same as a mapping with nothing else.
public record WordOrGroup<W, T>(ScalarShape<W> word, Function<W, T> meaning, Group<T> group) implements Shape<T> {
    @Override
    public Optional<T> bind(Node node, Binding here) {
        return node instanceof Node.Scalar ? word.bind(node, here).map(meaning) : group.bind(node, here);
    }

    @Override
    public Map<String, Object> schema() {
        return Keywords.of("anyOf", List.of(word.schema(), group.schema()));
    }

    @Override
    public String expected() {
        return word.expected() + " or " + group.expected();
    }
}
