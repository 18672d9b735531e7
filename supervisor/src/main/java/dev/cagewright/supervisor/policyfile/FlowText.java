package dev.cagewright.supervisor.policyfile;

import dev.cagewright.policy.quantity.Field;
import dev.cagewright.supervisor.policyfile.yaml.Node;
import dev.cagewright.supervisor.policyfile.yaml.PlainType;
import java.util.Locale;
import java.util.stream.Collectors;

/// Values as text on one line that any YAML reader, of 1.1 or 1.2, reads back as the same values.
enum FlowText {
    /// Quotes only what needs them.
    YAML,
    /// Quotes all text, so that a JSON file stays one.
    JSON;

    private static final String PLAIN = "[A-Za-z/][A-Za-z0-9._/-]*";

    String of(Node value) {
        return switch (value) {
            case Node.Scalar scalar -> scalar(scalar);
            case Node.Sequence list -> list.items().stream().map(this::of).collect(Collectors.joining(", ", "[", "]"));
            case Node.Mapping map ->
                map.entries().stream()
                        .map(entry -> text(entry.key().text()) + ": " + of(entry.value()))
                        .collect(Collectors.joining(", ", "{", "}"));
            case Node.Refused _ -> throw new IllegalArgumentException("value: refused (expected: a readable one)");
        };
    }

    private String scalar(Node.Scalar scalar) {
        return scalar.type() == PlainType.STRING ? text(scalar.text()) : scalar.text();
    }

    /// A string, never anything else.
    String text(String text) {
        boolean plain = this == YAML
                && text.matches(PLAIN)
                && PlainType.of(text) == PlainType.STRING
                && PlainType.twoReadings(text).isEmpty();
        return plain ? text : quoted(text);
    }

    private String quoted(String text) {
        var out = new StringBuilder("\"");
        text.codePoints().forEach(point -> append(out, point));
        return out.append('"').toString();
    }

    private void append(StringBuilder out, int point) {
        if (point == '"' || point == '\\') {
            out.append('\\').appendCodePoint(point);
        } else if (isVisible(point)) {
            out.appendCodePoint(point);
        } else if (this == YAML && point > Character.MAX_VALUE) {
            out.append(String.format(Locale.ROOT, "\\U%08x", point));
        } else {
            for (char c : Character.toChars(point)) {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            }
        }
    }

    private static boolean isVisible(int point) {
        return point == ' ' || !(Field.hasControl(Character.toString(point)) || Character.isSpaceChar(point));
    }
}
