package dev.cagewright.supervisor.policyfile;

import dev.cagewright.policy.document.Origin;
import dev.cagewright.policy.document.Origins;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.supervisor.policyfile.shape.Binding;
import dev.cagewright.supervisor.policyfile.yaml.Node;
import dev.cagewright.supervisor.policyfile.yaml.Position;
import dev.cagewright.supervisor.policyfile.yaml.Problems;
import dev.cagewright.supervisor.policyfile.yaml.SourceText;
import dev.cagewright.supervisor.policyfile.yaml.StrictReader;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/// A policy's text and what it says.
///
/// @param source the checked text
/// @param root its outermost mapping
record PolicyText(SourceText source, Node root, PolicyDocument document) {
    /// Reads the bytes of a policy file, YAML or JSON.
    ///
    /// @param name the file's name for messages, printable
    /// @throws PolicySyntaxException with everything that is wrong
    static PolicyText parse(String name, byte[] bytes) throws PolicySyntaxException {
        var problems = new Problems(name);
        var source = SourceText.decode(bytes, problems);
        var root = source.flatMap(text -> StrictReader.read(text, problems));
        if (root.isEmpty() && problems.isEmpty()) {
            problems.add(Position.START, "the file holds no policy", "write {} for one that says nothing");
        }
        var document = root.flatMap(node -> bind(node, problems));
        if (!problems.isEmpty()) {
            throw new PolicySyntaxException(problems);
        }
        return new PolicyText(source.orElseThrow(), root.orElseThrow(), document.orElseThrow());
    }

    private static Optional<PolicyDocument> bind(Node root, Problems problems) {
        var origins = new HashMap<String, Origin>();
        return PolicyShape.POLICY
                .bind(root, Binding.atRoot(problems, origins, root.at()))
                .map(document -> document.withOrigins(new Origins(origins)));
    }

    List<String> lines() {
        return source.lines();
    }
}
