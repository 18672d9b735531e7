package dev.cagewright.supervisor.policyfile;

import dev.cagewright.supervisor.policyfile.shape.Binding;
import dev.cagewright.supervisor.policyfile.shape.Shape;
import dev.cagewright.supervisor.policyfile.yaml.Position;
import dev.cagewright.supervisor.policyfile.yaml.Problems;
import dev.cagewright.supervisor.policyfile.yaml.SourceText;
import dev.cagewright.supervisor.policyfile.yaml.StrictReader;
import java.util.HashMap;

/// Reads other files in the form of policies: strictly, bounded, with everything that is wrong told with its place.
public final class StrictYaml {
    private StrictYaml() {}

    /// What `bytes`, YAML or JSON, say as `shape` has it.
    ///
    /// @param name the file's name for messages, printable
    /// @throws PolicySyntaxException with everything that is wrong
    @SuppressWarnings("exports") // shapes are the module's own, and so are its callers
    public static <T> T read(String name, byte[] bytes, Shape<T> shape) throws PolicySyntaxException {
        var problems = new Problems(name);
        var root = SourceText.decode(bytes, problems).flatMap(text -> StrictReader.read(text, problems));
        if (root.isEmpty() && problems.isEmpty()) {
            problems.add(Position.START, "the file holds nothing", "expected " + shape.expected());
        }
        var value = root.flatMap(node -> shape.bind(node, Binding.atRoot(problems, new HashMap<>(), node.at())));
        if (!problems.isEmpty()) {
            throw new PolicySyntaxException(problems);
        }
        return value.orElseThrow();
    }
}
