package dev.cagewright.supervisor.policyfile;

import dev.cagewright.supervisor.policyfile.yaml.Node;
import dev.cagewright.supervisor.policyfile.yaml.PlainType;
import dev.cagewright.supervisor.policyfile.yaml.Position;
import dev.cagewright.supervisor.policyfile.yaml.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Changes a policy's text in one place and leaves every other character, comments too, as it was. What it returns was
/// read
/// again and says what the old text said and the change, nothing else.
public final class PolicyWriter {
    private final String name;
    private final String text;
    private final PolicyText policy;

    /// @param name the file's name for messages, printable
    /// @throws PolicySyntaxException if `text` is no policy
    public PolicyWriter(String name, String text) throws PolicySyntaxException {
        this.name = name;
        this.policy = PolicyText.parse(name, text.getBytes(StandardCharsets.UTF_8));
        this.text = policy.source().text();
    }

    /// `value` on one line, as it can stand in a policy of YAML.
    public static String line(Node value) {
        return FlowText.YAML.of(value);
    }

    /// The text with `item` at the end of the list at `path`; the list is made when it is absent.
    ///
    /// @param path keys from the root, e.g. `exec`, `allowlist`
    /// @param item made by [Node]'s factories
    /// @throws PolicySyntaxException if the policy with the item is not valid
    /// @throws IllegalArgumentException if there is no place for it, e.g. because `path` leads to no list
    public String withItem(List<String> path, Node item) throws PolicySyntaxException {
        var list = at(path);
        var added = switch (list.orElse(null)) {
            case null -> withKey(path, Node.list(List.of(item)));
            case Node.Sequence found -> withItem(found, item);
            default -> throw refusal(path, "is no list");
        };
        return checked(added, path, Meaning.of(policy.root()).with(path, Meaning.of(item)));
    }

    /// The text with the first entry of the first list in `yaml` at the end of the same list here.
    ///
    /// @param yaml keys, and one entry below them, e.g. `exec:`, `allowlist:`, `- make`; other keys do not count
    /// @throws PolicySyntaxException if the policy with the entry is not valid
    /// @throws IllegalArgumentException if `yaml` is no such thing or there is no place for it
    public String withItem(String yaml) throws PolicySyntaxException {
        var path = new ArrayList<String>();
        var here =
                PolicyText.parse("entry", yaml.getBytes(StandardCharsets.UTF_8)).root();
        while (here instanceof Node.Mapping map) {
            var entry = map.entries().getLast();
            path.add(entry.key().text());
            here = entry.value();
        }
        if (here instanceof Node.Sequence list && !list.items().isEmpty()) {
            return withItem(path, list.items().getFirst());
        }
        throw refusal(path, "is no list with an entry");
    }

    /// The single value at `path`, if one is there.
    public Optional<String> word(List<String> path) {
        return at(path).flatMap(
                        node -> node instanceof Node.Scalar found ? Optional.of(found.text()) : Optional.empty());
    }

    /// The text with the word at `path` replaced by another.
    ///
    /// @param word plain, e.g. `allowlist`
    /// @throws PolicySyntaxException if the policy with the word is not valid
    /// @throws IllegalArgumentException if `path` leads to no single value
    public String withWord(List<String> path, String word) throws PolicySyntaxException {
        if (!(at(path).orElse(null) instanceof Node.Scalar found)) {
            throw refusal(path, "is no single value");
        }
        var changed = text.substring(0, index(found.at())) + word + text.substring(index(found.end()));
        var meant = Meaning.of(policy.root()).saying(path, new Meaning.Single(word, PlainType.STRING));
        return checked(changed, path, meant);
    }

    private String withItem(Node.Sequence list, Node item) {
        if (list.layout() == Node.Layout.FLOW) {
            return inserted(list.end(), (list.items().isEmpty() ? "" : ", ") + style().of(item));
        }
        int indent = list.at().column() - 1;
        return insertedBelow(list, " ".repeat(indent) + "- " + style().of(item));
    }

    private String withKey(List<String> path, Node value) {
        int known = path.size() - 1;
        while (at(path.subList(0, known)).isEmpty()) {
            known--;
        }
        var rest = value;
        for (var key : path.subList(known + 1, path.size()).reversed()) {
            rest = Node.mapping(key, rest);
        }
        if (!(at(path.subList(0, known)).orElseThrow() instanceof Node.Mapping parent)) {
            throw refusal(path.subList(0, known), "is no mapping");
        }
        var entry = style().text(path.get(known)) + ": " + style().of(rest);
        if (parent.layout() == Node.Layout.FLOW) {
            return inserted(parent.end(), (parent.entries().isEmpty() ? "" : ", ") + entry);
        }
        return insertedBelow(parent, " ".repeat(parent.at().column() - 1) + entry);
    }

    private Optional<Node> at(List<String> path) {
        Optional<Node> here = Optional.of(policy.root());
        for (var key : path) {
            here = here.flatMap(node -> node instanceof Node.Mapping map ? map.find(key) : Optional.empty());
        }
        return here;
    }

    private FlowText style() {
        return text.stripLeading().startsWith("{") ? FlowText.JSON : FlowText.YAML;
    }

    private String inserted(Position at, String what) {
        int index = index(at);
        return text.substring(0, index) + what + text.substring(index);
    }

    private String insertedBelow(Node block, String line) {
        int start = index(new Position(lastLine(block), 1));
        int end = text.indexOf('\n', start);
        var lineEnd = text.contains("\r\n") ? "\r\n" : "\n";
        return end < 0
                ? text + lineEnd + line + lineEnd
                : text.substring(0, end + 1) + line + lineEnd + text.substring(end + 1);
    }

    /// The line on which the last value within `node` ends.
    private static int lastLine(Node node) {
        return switch (node) {
            case Node.Sequence list
            when list.layout() == Node.Layout.BLOCK -> lastLine(list.items().getLast());
            case Node.Mapping map
            when map.layout() == Node.Layout.BLOCK ->
                lastLine(map.entries().getLast().value());
            case Node.Sequence list -> list.end().line();
            case Node.Mapping map -> map.end().line();
            case Node.Scalar scalar -> scalar.end().line();
            case Node.Refused refused -> refused.at().line();
        };
    }

    private int index(Position at) {
        int start = 0;
        for (int line = 1; line < at.line(); line++) {
            int end = start;
            while (text.charAt(end) != '\n' && text.charAt(end) != '\r') {
                end++;
            }
            start = end + (text.startsWith("\r\n", end) ? 2 : 1);
        }
        return text.offsetByCodePoints(start, at.column() - 1);
    }

    private String checked(String changed, List<String> path, Meaning meant) throws PolicySyntaxException {
        var read = PolicyText.parse(name, changed.getBytes(StandardCharsets.UTF_8));
        if (!Meaning.of(read.root()).equals(meant)) {
            throw refusal(path, "stands where nothing can be added without changing something else");
        }
        return changed;
    }

    private IllegalArgumentException refusal(List<String> path, String why) {
        return new IllegalArgumentException(name + ": " + Quoted.bare(String.join(".", path)) + " " + why);
    }
}
