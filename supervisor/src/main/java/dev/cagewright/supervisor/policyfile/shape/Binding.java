package dev.cagewright.supervisor.policyfile.shape;

import dev.cagewright.policy.document.Origin;
import dev.cagewright.supervisor.policyfile.yaml.Node;
import dev.cagewright.supervisor.policyfile.yaml.PlainType;
import dev.cagewright.supervisor.policyfile.yaml.Position;
import dev.cagewright.supervisor.policyfile.yaml.Problems;
import dev.cagewright.supervisor.policyfile.yaml.Quoted;
import java.util.List;
import java.util.Map;

/// Where in a document the binder stands, and where it reports. One thread.
///
/// @param origins receives the place of every key and item it comes by, by JSON pointer
/// @param pointer of the node at hand, RFC 6901
/// @param field the same for people, e.g. `net.hosts[2].port`; empty at the root
public record Binding(Problems problems, Map<String, Origin> origins, String pointer, String field) {
    /// Code points; a file may hold values of 64 KiB.
    private static final int LONGEST_MESSAGE = 300;

    private static final List<String> HINTS = List.of(" (expected: ", " (did you mean ", " (one of ");

    public static Binding atRoot(Problems problems, Map<String, Origin> origins, Position at) {
        return new Binding(problems, origins, "", "").recorded(at);
    }

    Binding key(String name, Position at) {
        var escaped = name.replace("~", "~0").replace("/", "~1");
        var shown = Quoted.bare(name);
        return new Binding(problems, origins, pointer + "/" + escaped, field.isEmpty() ? shown : field + "." + shown)
                .recorded(at);
    }

    Binding item(int index, Position at) {
        return new Binding(problems, origins, pointer + "/" + index, field + "[" + index + "]").recorded(at);
    }

    private Binding recorded(Position at) {
        origins.put(pointer, new Origin(problems.file(), at.line(), at.column()));
        return this;
    }

    void refuse(Position at, String message, String hint) {
        problems.add(at, message, hint);
    }

    /// Reports a refusal by a value's own parse function, `field: "text" (expected: ...)`; a long text is cut.
    void refuse(Node node, IllegalArgumentException refusal) {
        var text = String.valueOf(refusal.getMessage());
        int found = HINTS.stream().mapToInt(text::lastIndexOf).max().orElse(-1);
        boolean hasHint = found > 0 && text.endsWith(")");
        var hint = hasHint ? text.substring(found + 2, text.length() - 1) : "";
        var message = hasHint ? text.substring(0, found) : text;
        problems.add(node.at(), Quoted.shortened(message, LONGEST_MESSAGE), hint + readings(node, hint));
    }

    private static String readings(Node node, String hint) {
        if (hint.contains("could mean")
                || !(node instanceof Node.Scalar scalar)
                || scalar.notation() != Node.Notation.PLAIN) {
            return "";
        }
        return PlainType.twoReadings(scalar.text())
                .map(both -> hint.isEmpty() ? both : "; " + both)
                .orElse("");
    }

    /// Reports that `node` is not what `expected` says, unless it was refused already.
    ///
    /// @param hint empty, or what to write
    void refuseKind(Node node, String expected, String hint) {
        if (node instanceof Node.Refused) {
            return;
        }
        var subject = field.isEmpty() ? "the document" : field;
        if (node instanceof Node.Scalar scalar && scalar.type() == PlainType.NULL) {
            refuse(node.at(), subject + " has no value", "expected " + expected + "; remove the key to leave it out");
            return;
        }
        var found = node instanceof Node.Scalar scalar && !scalar.text().isEmpty()
                ? node.kind() + " " + Quoted.bare(scalar.text())
                : node.kind();
        refuse(node.at(), subject + ": expected " + expected + ", found " + found, hint);
    }
}
