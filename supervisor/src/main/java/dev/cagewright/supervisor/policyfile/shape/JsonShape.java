package dev.cagewright.supervisor.policyfile.shape;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNull;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.supervisor.policyfile.yaml.Node;
import dev.cagewright.supervisor.policyfile.yaml.PlainType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Whatever JSON can say, in YAML or JSON, read by somebody who knows it better.
///
/// @param schema as [#schema()]
public record JsonShape<T>(String expected, Map<String, Object> schema, Reading<T> reading) implements Shape<T> {
    /// Reads a value.
    @FunctionalInterface
    public interface Reading<T> {
        /// What `value` is.
        ///
        /// @throws UnfitException naming the part that is wrong
        T read(JsonValue value) throws UnfitException;
    }

    /// Something about a value is wrong.
    public static final class UnfitException extends Exception {
        private static final long serialVersionUID = 1;

        private final String pointer;
        private final String hint;

        /// @param pointer RFC 6901, from the value; empty for all of it
        /// @param hint what to write; empty for none
        public UnfitException(String pointer, String why, String hint) {
            super(why);
            this.pointer = pointer;
            this.hint = hint;
        }
    }

    @Override
    public Optional<T> bind(Node node, Binding here) {
        var value = json(node, here);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(reading.read(value.get()));
        } catch (UnfitException e) {
            here.refuse(
                    at(node, e.pointer).at(),
                    here.field() + e.pointer.replace('/', '.') + ": " + e.getMessage(),
                    e.hint);
            return Optional.empty();
        }
    }

    /// The node at a pointer, or the nearest around it.
    private static Node at(Node root, String pointer) {
        var here = root;
        for (String step :
                pointer.isEmpty() ? new String[0] : pointer.substring(1).split("/", -1)) {
            var name = step.replace("~1", "/").replace("~0", "~");
            var next = switch (here) {
                case Node.Mapping mapping -> mapping.find(name);
                case Node.Sequence list
                when name.matches("[0-9]{1,6}")
                        && Integer.parseInt(name) < list.items().size() ->
                    Optional.of(list.items().get(Integer.parseInt(name)));
                default -> Optional.<Node>empty();
            };
            if (next.isEmpty()) {
                return here;
            }
            here = next.get();
        }
        return here;
    }

    private static Optional<JsonValue> json(Node node, Binding here) {
        return switch (node) {
            case Node.Scalar scalar -> scalar(scalar, here);
            case Node.Sequence list -> {
                var items = new ArrayList<JsonValue>();
                list.items().forEach(item -> json(item, here).ifPresent(items::add));
                yield items.size() == list.items().size() ? Optional.of(new JsonArray(items)) : Optional.empty();
            }
            case Node.Mapping mapping -> {
                var members = new LinkedHashMap<String, JsonValue>();
                mapping.entries()
                        .forEach(entry -> json(entry.value(), here)
                                .ifPresent(value -> members.put(entry.key().text(), value)));
                yield members.size() == mapping.entries().size()
                        ? Optional.of(new JsonObject(members))
                        : Optional.empty();
            }
            case Node.Refused _ -> Optional.empty();
        };
    }

    private static Optional<JsonValue> scalar(Node.Scalar scalar, Binding here) {
        var text = scalar.text();
        var odd = scalar.notation() == Node.Notation.PLAIN ? PlainType.twoReadings(text) : Optional.<String>empty();
        if (odd.isPresent()) {
            here.refuse(scalar.at(), odd.get(), "put it in quotes, or write it plainly");
            return Optional.empty();
        }
        try {
            return Optional.of(
                    switch (scalar.type()) {
                        case STRING -> new JsonString(text);
                        case NULL -> new JsonNull();
                        case FLAG ->
                            new JsonBoolean(text.toLowerCase(Locale.ROOT).equals("true"));
                        case WHOLE, REAL -> new JsonNumber(text);
                    });
        } catch (IllegalArgumentException _) {
            here.refuse(scalar.at(), "a number that JSON does not know", "write it in plain digits");
            return Optional.empty();
        }
    }
}
