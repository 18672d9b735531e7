package dev.cagewright.audit.json;

import java.util.ArrayList;
import java.util.List;

/// A JSON array.
public record JsonArray(List<JsonValue> items) implements JsonValue {
    public JsonArray {
        items = List.copyOf(items);
    }

    /// Collects items in order. Not safe for several threads.
    public static final class Builder {
        private final List<JsonValue> items = new ArrayList<>();

        Builder() {}

        public Builder add(JsonValue item) {
            items.add(item);
            return this;
        }

        public Builder add(String item) {
            return add(new JsonString(item));
        }

        public Builder add(long item) {
            return add(JsonNumber.of(item));
        }

        public JsonArray build() {
            return new JsonArray(items);
        }
    }
}
