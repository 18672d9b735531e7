package dev.cagewright.supervisor.imports;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNull;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.supervisor.imports.toml.TomlException;
import dev.cagewright.supervisor.imports.toml.TomlReader;
import dev.cagewright.supervisor.policyfile.yaml.Node;
import dev.cagewright.supervisor.policyfile.yaml.Position;
import dev.cagewright.supervisor.policyfile.yaml.Problem;
import dev.cagewright.supervisor.policyfile.yaml.Problems;
import dev.cagewright.supervisor.policyfile.yaml.SourceText;
import dev.cagewright.supervisor.policyfile.yaml.StrictReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The bytes of a source as nodes, whichever of YAML, JSON and TOML they are. All three are read strictly and within
/// the
/// bounds of a policy file. A value from JSON has no place of its own.
final class Source {
    private Source() {}

    /// @param name the file's name, printable
    static Node.Mapping read(String name, byte[] bytes) throws ImportException {
        var problems = new Problems(name);
        var text = SourceText.decode(bytes, problems).orElseThrow(() -> refused(problems));
        var root = switch (first(text.text())) {
            case '{' -> json(name, text.text());
            case '[', '=' -> toml(name, text.text());
            default -> yaml(text, problems);
        };
        if (root instanceof Node.Mapping mapping) {
            return mapping;
        }
        throw new ImportException(name + ": " + root.kind() + " (expected: keys and values)");
    }

    /// What tells the three apart: the first character of the first line that says something, or `=` where that line is
    /// a key and a value of TOML.
    private static char first(String text) {
        for (String line : text.split("\n", -1)) {
            var said = line.strip();
            if (said.isEmpty() || said.startsWith("#") || said.startsWith("---") || said.startsWith("%")) {
                continue;
            }
            boolean isToml = said.matches("[A-Za-z0-9_.\"'-]+[ \\t]*=.*");
            return isToml ? '=' : said.charAt(0);
        }
        return ' ';
    }

    private static Node yaml(SourceText text, Problems problems) throws ImportException {
        var root = StrictReader.read(text, problems);
        if (!problems.isEmpty()) {
            throw refused(problems);
        }
        return root.orElseThrow(() -> new ImportException(text.file() + ": the file holds nothing"));
    }

    private static Node toml(String name, String text) throws ImportException {
        try {
            return TomlReader.read(text);
        } catch (TomlException e) {
            throw new ImportException(name + ":" + e.getMessage(), e);
        }
    }

    private static Node json(String name, String text) throws ImportException {
        try {
            var value = Json.parse(text.getBytes(StandardCharsets.UTF_8), SourceText.MAX_BYTES);
            return new JsonNodes(name).node(value, 1);
        } catch (JsonSyntaxException e) {
            throw new ImportException(name + ": " + e.getMessage(), e);
        }
    }

    private static ImportException refused(Problems problems) {
        return new ImportException(
                problems.inOrder().stream().map(Problem::toString).collect(Collectors.joining("\n"))
                        + (problems.unlisted() == 0 ? "" : "\n... and " + problems.unlisted() + " more"));
    }

    /// JSON as nodes, within the same bounds.
    private static final class JsonNodes {
        private final String name;
        private int count;

        JsonNodes(String name) {
            this.name = name;
        }

        Node node(JsonValue value, int depth) throws ImportException {
            if (++count > StrictReader.MAX_NODES || depth > StrictReader.MAX_DEPTH) {
                throw new ImportException(name + ": more than " + StrictReader.MAX_NODES
                        + " values, or nested deeper than " + StrictReader.MAX_DEPTH + " levels");
            }
            return switch (value) {
                case JsonString(String text) -> Node.text(text);
                case JsonNumber(String text) -> plain(text);
                case JsonBoolean(boolean truth) -> plain(String.valueOf(truth));
                case JsonNull() -> plain("null");
                case JsonArray(var items) -> {
                    var nodes = new ArrayList<Node>();
                    for (JsonValue item : items) {
                        nodes.add(node(item, depth + 1));
                    }
                    yield Node.list(nodes);
                }
                case JsonObject object -> mapping(object, depth);
            };
        }

        private Node mapping(JsonObject object, int depth) throws ImportException {
            var entries = new ArrayList<Node.Entry>();
            for (var member : object.members().entrySet()) {
                var key = new Node.Scalar(member.getKey(), Node.Notation.QUOTED, Position.START, Position.START);
                entries.add(new Node.Entry(key, node(member.getValue(), depth + 1)));
            }
            return new Node.Mapping(List.copyOf(entries), Node.Layout.FLOW, Position.START, Position.START);
        }

        private static Node plain(String text) {
            return new Node.Scalar(text, Node.Notation.PLAIN, Position.START, Position.START);
        }
    }
}
