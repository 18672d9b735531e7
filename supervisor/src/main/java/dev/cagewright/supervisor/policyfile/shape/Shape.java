package dev.cagewright.supervisor.policyfile.shape;

import dev.cagewright.supervisor.policyfile.yaml.Node;
import java.util.Map;
import java.util.Optional;

/// What may stand at one place of a policy file. The same object reads it and describes it as JSON
/// Schema, so the two cannot differ.
///
/// @param <T> what it is read as
public sealed interface Shape<T> permits ScalarShape, ListShape, OneOrMany, WordMap, Group, WordOrGroup, JsonShape {
    /// The value; empty if something is wrong with it, which was reported to `here`.
    Optional<T> bind(Node node, Binding here);

    /// A JSON Schema 2020-12 of maps, lists, strings, numbers and booleans.
    Map<String, Object> schema();

    /// For `expected ...`, e.g. `a list of hosts`.
    String expected();
}
