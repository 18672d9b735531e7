package dev.cagewright.audit.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/// A JSON object. Members keep the order in which they were put or read; that order is what is written.
public record JsonObject(SequencedMap<String, JsonValue> members) implements JsonValue {
    /// The object without members.
    public static final JsonObject EMPTY = new JsonObject(new LinkedHashMap<>());

    public JsonObject {
        members = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(members));
    }

    public Optional<JsonValue> member(String name) {
        return Optional.ofNullable(members.get(name));
    }

    /// The member's text, if it is there and a string.
    public Optional<String> text(String name) {
        return members.get(name) instanceof JsonString(String value) ? Optional.of(value) : Optional.empty();
    }

    /// Collects members in order. Not safe for several threads.
    public static final class Builder {
        private final LinkedHashMap<String, JsonValue> members = new LinkedHashMap<>();

        Builder() {}

        /// Adds a member at the end.
        ///
        /// @throws IllegalArgumentException if there is a member of that name already
        public Builder put(String name, JsonValue value) {
            if (members.putIfAbsent(name, value) != null) {
                throw new IllegalArgumentException("member: \"" + name + "\" twice (expected: once)");
            }
            return this;
        }

        public Builder put(String name, String value) {
            return put(name, new JsonString(value));
        }

        public Builder put(String name, long value) {
            return put(name, JsonNumber.of(value));
        }

        public Builder put(String name, boolean value) {
            return put(name, new JsonBoolean(value));
        }

        /// Adds an array.
        ///
        /// @param values each as [Json#of(Object)] takes it
        public Builder put(String name, List<?> values) {
            return put(name, Json.of(values));
        }

        /// Adds an object.
        ///
        /// @param values each as [Json#of(Object)] takes it, in the map's own order
        public Builder put(String name, Map<String, ?> values) {
            return put(name, Json.of(values));
        }

        public JsonObject build() {
            return new JsonObject(members);
        }
    }
}
