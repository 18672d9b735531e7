package dev.cagewright.audit.json;

/// One JSON value (RFC 8259). Immutable; equality is by content, and two numbers are equal only if their texts are.
public sealed interface JsonValue permits JsonObject, JsonArray, JsonString, JsonNumber, JsonBoolean, JsonNull {
    /// How deep values may nest, the outermost counted as one.
    int MAX_DEPTH = 64;

    /// This value on one line, without spaces. Whatever a terminal obeys or a reader cannot see is escaped:
    /// controls, DEL, C1, U+2028, U+2029, zero-width and bidirectional marks, and halves of surrogate pairs.
    ///
    /// @throws IllegalStateException if values nest deeper than [#MAX_DEPTH]
    default String write() {
        return new JsonWriter(MAX_DEPTH).value(this).text();
    }

    /// [#write()] as UTF-8.
    default byte[] bytes() {
        return new JsonWriter(MAX_DEPTH).value(this).bytes();
    }

    /// Like [#bytes()] with a smaller bound on depth.
    ///
    /// @throws IllegalStateException if values nest deeper than `maxDepth`
    default byte[] bytes(int maxDepth) {
        return new JsonWriter(Math.min(maxDepth, MAX_DEPTH)).value(this).bytes();
    }
}
