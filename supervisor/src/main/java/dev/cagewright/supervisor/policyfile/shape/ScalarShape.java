package dev.cagewright.supervisor.policyfile.shape;

import dev.cagewright.policy.quantity.Field;
import dev.cagewright.supervisor.policyfile.yaml.Node;
import dev.cagewright.supervisor.policyfile.yaml.PlainType;
import dev.cagewright.supervisor.policyfile.yaml.Quoted;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// One value: text, a number, true or false.
///
/// @param types what a YAML 1.2 reader must see
/// @param reading from the text to the value
public record ScalarShape<T>(Set<PlainType> types, String expected, Map<String, Object> schema, Reading<T> reading)
        implements Shape<T> {
    private static final int LONGEST_TEXT = 1024;

    /// Reads a value.
    @FunctionalInterface
    public interface Reading<T> {
        /// The value that `text` spells.
        ///
        /// @throws IllegalArgumentException `field: "text" (expected: ...)`
        T read(String field, String text);
    }

    /// Text of a closed form.
    ///
    /// @param pattern a regular expression of ECMA-262 for all of it
    public static <T> ScalarShape<T> text(String expected, String pattern, Reading<T> reading) {
        return new ScalarShape<>(
                Set.of(PlainType.STRING), expected, Keywords.of("type", "string", "pattern", pattern), reading);
    }

    /// Text on one line that a person can see: no control or zero-width characters, no blank at an end.
    public static ScalarShape<String> visibleText(String expected) {
        return text(expected, "^\\S(.*\\S)?$", (field, text) -> visible(field, text, expected));
    }

    /// Refuses what a person cannot see.
    ///
    /// @throws IllegalArgumentException `field: "text" (expected: ...)`
    public static String visible(String field, String text, String expected) {
        if (text.isEmpty() || !text.equals(text.strip()) || Field.hasControl(text) || text.length() > LONGEST_TEXT) {
            throw Field.refusal(
                    field,
                    text,
                    expected + " of 1 to " + LONGEST_TEXT + " visible characters, without blanks at its ends");
        }
        return text;
    }

    /// One of `words`.
    public static <T> ScalarShape<T> word(List<String> words, Reading<T> reading) {
        return new ScalarShape<>(
                Set.of(PlainType.STRING),
                words.size() == 1 ? words.getFirst() : "one of " + String.join(", ", words),
                Keywords.of("enum", words),
                (field, text) -> {
                    if (!words.contains(text)) {
                        throw new IllegalArgumentException(
                                field + ": " + Quoted.of(text) + " (" + Nearest.hint(text, words) + ")");
                    }
                    return reading.read(field, text);
                });
    }

    /// A whole number in plain digits.
    public static <T> ScalarShape<T> whole(String expected, long least, long most, Reading<T> reading) {
        return new ScalarShape<>(Set.of(PlainType.WHOLE), expected, bounds("integer", least, most), reading);
    }

    /// A number, with or without a fraction.
    public static <T> ScalarShape<T> real(String expected, Number least, Number most, Reading<T> reading) {
        return new ScalarShape<>(
                Set.of(PlainType.WHOLE, PlainType.REAL), expected, bounds("number", least, most), reading);
    }

    /// The keywords of a number between two bounds, both included.
    public static Map<String, Object> bounds(String type, Number least, Number most) {
        var schema = Keywords.of("type", type, "minimum", least);
        schema.put("maximum", most);
        return schema;
    }

    /// `true` or `false`.
    public static <T> ScalarShape<T> flag(T whenTrue, T whenFalse) {
        return new ScalarShape<>(
                Set.of(PlainType.FLAG),
                "true or false",
                Keywords.of("type", "boolean"),
                (_, text) -> text.startsWith("t") || text.startsWith("T") ? whenTrue : whenFalse);
    }

    @Override
    public Optional<T> bind(Node node, Binding here) {
        if (!(node instanceof Node.Scalar scalar) || !types.contains(scalar.type())) {
            here.refuseKind(node, expected, node instanceof Node.Scalar scalar ? hint(scalar, here.field()) : "");
            return Optional.empty();
        }
        try {
            return Optional.of(reading.read(here.field(), scalar.text()));
        } catch (IllegalArgumentException e) {
            here.refuse(node, e);
            return Optional.empty();
        }
    }

    private String hint(Node.Scalar scalar, String field) {
        var readings = scalar.notation() == Node.Notation.PLAIN
                ? PlainType.twoReadings(scalar.text())
                : Optional.<String>empty();
        var quotes = reads(scalar, field) ? quotes(scalar) : "";
        return readings.map(both -> quotes.isEmpty() ? both : both + "; " + quotes)
                .orElse(quotes);
    }

    private String quotes(Node.Scalar scalar) {
        return scalar.notation() == Node.Notation.PLAIN && types.contains(PlainType.STRING)
                ? "put it in quotes"
                : "remove the quotes";
    }

    /// Is only the notation wrong?
    private boolean reads(Node.Scalar scalar, String field) {
        boolean fits = types.contains(PlainType.STRING)
                || (scalar.notation() != Node.Notation.PLAIN && types.contains(PlainType.of(scalar.text())));
        if (!fits) {
            return false;
        }
        try {
            reading.read(field, scalar.text());
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
