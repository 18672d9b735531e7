package dev.cagewright.supervisor.imports;

import dev.cagewright.supervisor.policyfile.yaml.Node;
import dev.cagewright.supervisor.policyfile.yaml.PlainType;
import dev.cagewright.supervisor.policyfile.yaml.Position;
import dev.cagewright.supervisor.policyfile.yaml.Quoted;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// One mapping of a source, which remembers what was asked for: what was not is named by [#rest]. One thread.
final class Section {
    private final String file;
    private final String path;
    private final Node.Mapping mapping;
    private final Set<String> asked = new HashSet<>();

    /// @param path of keys from the root; empty for the root
    Section(String file, String path, Node.Mapping mapping) {
        this.file = file;
        this.path = path;
        this.mapping = mapping;
    }

    /// A text with its key.
    record Text(String key, String value) {}

    String path(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    List<String> keys() {
        return mapping.entries().stream().map(entry -> entry.key().text()).toList();
    }

    private Optional<Node> node(String key) {
        asked.add(key);
        return mapping.find(key).filter(node -> !isNull(node));
    }

    private static boolean isNull(Node node) {
        return node instanceof Node.Scalar scalar && scalar.type() == PlainType.NULL;
    }

    boolean has(String key) {
        return node(key).isPresent();
    }

    /// A text; a number or truth without quotes is none.
    Optional<String> text(String key) throws ImportException {
        var node = node(key);
        return node.isEmpty() ? Optional.empty() : Optional.of(text(path(key), node.get()));
    }

    /// A text, or a number as it is written.
    Optional<String> word(String key) throws ImportException {
        var node = node(key);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        if (node.get() instanceof Node.Scalar scalar) {
            return Optional.of(scalar.text());
        }
        throw wrong(path(key), node.get(), "a text or a number");
    }

    Optional<Boolean> flag(String key) throws ImportException {
        var node = node(key);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        if (node.get() instanceof Node.Scalar scalar && scalar.type() == PlainType.FLAG) {
            return Optional.of(scalar.text().equalsIgnoreCase("true"));
        }
        throw wrong(path(key), node.get(), "true or false");
    }

    boolean isOn(String key) throws ImportException {
        return flag(key).orElse(false);
    }

    /// A whole number that is not negative.
    Optional<Long> whole(String key) throws ImportException {
        var node = node(key);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        if (node.get() instanceof Node.Scalar scalar && scalar.type() == PlainType.WHOLE) {
            try {
                return Optional.of(new BigDecimal(scalar.text()).longValueExact());
            } catch (ArithmeticException | NumberFormatException _) {
                // told below
            }
        }
        throw wrong(path(key), node.get(), "a whole number");
    }

    /// A list of texts, or one text where `key` may have either; each with its own place.
    List<Text> texts(String key) throws ImportException {
        var node = node(key);
        if (node.isEmpty()) {
            return List.of();
        }
        if (node.get() instanceof Node.Sequence list) {
            var texts = new ArrayList<Text>();
            for (int i = 0; i < list.items().size(); i++) {
                var at = path(key) + "[" + i + "]";
                texts.add(new Text(at, text(at, list.items().get(i))));
            }
            return List.copyOf(texts);
        }
        throw wrong(path(key), node.get(), "a list of texts");
    }

    /// A list of texts and numbers as they are written.
    List<Text> words(String key) throws ImportException {
        var node = node(key);
        if (node.isEmpty()) {
            return List.of();
        }
        if (!(node.get() instanceof Node.Sequence list)) {
            throw wrong(path(key), node.get(), "a list");
        }
        var words = new ArrayList<Text>();
        for (int i = 0; i < list.items().size(); i++) {
            var at = path(key) + "[" + i + "]";
            if (!(list.items().get(i) instanceof Node.Scalar scalar)) {
                throw wrong(at, list.items().get(i), "a text or a number");
            }
            words.add(new Text(at, scalar.text()));
        }
        return List.copyOf(words);
    }

    /// The value of `key` as it stands there.
    Optional<Node> value(String key) {
        return node(key);
    }

    List<Text> textOrTexts(String key) throws ImportException {
        return node(key).orElse(null) instanceof Node.Scalar
                ? List.of(new Text(path(key), text(key).orElse("")))
                : texts(key);
    }

    /// A mapping; an empty one where there is none.
    Section section(String key) throws ImportException {
        var node = node(key);
        if (node.isEmpty()) {
            var empty = new Node.Mapping(List.of(), Node.Layout.FLOW, Position.START, Position.START);
            return new Section(file, path(key), empty);
        }
        if (node.get() instanceof Node.Mapping found) {
            return new Section(file, path(key), found);
        }
        throw wrong(path(key), node.get(), "keys and values");
    }

    List<Section> sections(String key) throws ImportException {
        var node = node(key);
        if (node.isEmpty()) {
            return List.of();
        }
        if (!(node.get() instanceof Node.Sequence list)) {
            throw wrong(path(key), node.get(), "a list");
        }
        var sections = new ArrayList<Section>();
        for (int i = 0; i < list.items().size(); i++) {
            var at = path(key) + "[" + i + "]";
            if (!(list.items().get(i) instanceof Node.Mapping found)) {
                throw wrong(at, list.items().get(i), "keys and values");
            }
            sections.add(new Section(file, at, found));
        }
        return List.copyOf(sections);
    }

    /// Is the value of `key` a mapping?
    boolean isSection(String key) {
        return node(key).orElse(null) instanceof Node.Mapping;
    }

    boolean wasAsked(String key) {
        return asked.contains(key);
    }

    /// Names `key` as left out if it is there.
    void leave(Draft draft, String key, String why) {
        if (has(key)) {
            draft.leave(path(key), why);
        }
    }

    /// Names every key that nobody asked for.
    void rest(Draft draft, String why) {
        for (String key : keys()) {
            if (!asked.contains(key)) {
                draft.leave(path(key), why);
            }
        }
    }

    private String text(String at, Node node) throws ImportException {
        if (node instanceof Node.Scalar scalar && scalar.type() == PlainType.STRING) {
            return scalar.text();
        }
        throw wrong(at, node, "a text");
    }

    private ImportException wrong(String at, Node node, String expected) {
        var place = node.at().equals(Position.START) ? "" : ":" + node.at();
        return new ImportException(
                file + place + ": " + Quoted.bare(at) + ": " + node.kind() + " (expected: " + expected + ")");
    }

    /// Something about this section that makes no policy.
    ImportException wrong(String key, String what) {
        return new ImportException(file + ": " + Quoted.bare(path(key)) + ": " + Quoted.bare(what));
    }
}
