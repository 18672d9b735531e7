package dev.cagewright.audit.json;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Builds and parses JSON: `Json.object().put("a", 1).put("b", List.of("x")).build().write()`.
public final class Json {
    /// The largest text that [#parse(byte[])] takes, in bytes.
    public static final int MAX_BYTES = 16 << 20;

    private Json() {}

    public static JsonObject.Builder object() {
        return new JsonObject.Builder();
    }

    public static JsonArray.Builder array() {
        return new JsonArray.Builder();
    }

    /// `value` as JSON.
    ///
    /// @param value a [JsonValue], string, boolean, byte, short, int, long, list of such or map from names to such;
    ///     null is `null`
    /// @throws IllegalArgumentException for any other type
    public static JsonValue of(@Nullable Object value) {
        return switch (value) {
            case null -> new JsonNull();
            case JsonValue json -> json;
            case String text -> new JsonString(text);
            case Boolean truth -> new JsonBoolean(truth);
            case Byte number -> JsonNumber.of(number);
            case Short number -> JsonNumber.of(number);
            case Integer number -> JsonNumber.of(number);
            case Long number -> JsonNumber.of(number);
            case List<?> list -> array(list);
            case Map<?, ?> map -> object(map);
            default ->
                throw new IllegalArgumentException("json value: "
                        + value.getClass().getName() + " (expected: text, whole number, boolean, list or map)");
        };
    }

    /// The one value that `utf8` is.
    ///
    /// @throws JsonSyntaxException if it is anything else than exactly one value by RFC 8259 in valid UTF-8, an
    ///     object names a member twice, values nest deeper than [JsonValue#MAX_DEPTH], or there are more than
    ///     [#MAX_BYTES] bytes
    public static JsonValue parse(byte[] utf8) throws JsonSyntaxException {
        return parse(utf8, MAX_BYTES);
    }

    /// Like [#parse(byte[])] with a bound of its own.
    ///
    /// @param maxBytes the largest text that is taken, in bytes
    public static JsonValue parse(byte[] utf8, int maxBytes) throws JsonSyntaxException {
        if (utf8.length > maxBytes) {
            throw new JsonSyntaxException(maxBytes, utf8.length + " bytes are too many (at most " + maxBytes + ")");
        }
        var reader = new JsonReader(utf8, 0, utf8.length, JsonReader.Spacing.ALLOWED);
        var value = reader.value();
        reader.end();
        return value;
    }

    /// The one value that stands, without any blank around or inside it, in `utf8` from `from` to before `to`.
    /// Offsets in errors count from the array's start.
    public static JsonValue parseCompact(byte[] utf8, int from, int to) throws JsonSyntaxException {
        var reader = new JsonReader(utf8, from, to, JsonReader.Spacing.REFUSED);
        var value = reader.value();
        reader.end();
        return value;
    }

    /// Like [#parse(byte[])]. A lone surrogate in `text` is refused as no UTF-8.
    public static JsonValue parse(String text) throws JsonSyntaxException {
        try {
            var bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            var utf8 = new byte[bytes.remaining()];
            bytes.get(utf8);
            return parse(utf8);
        } catch (CharacterCodingException e) {
            var refused = new JsonSyntaxException(0, "the text holds half a surrogate pair");
            refused.initCause(e);
            throw refused;
        }
    }

    private static JsonArray array(List<?> list) {
        var items = new ArrayList<JsonValue>(list.size());
        for (var item : list) {
            items.add(of(item));
        }
        return new JsonArray(items);
    }

    private static JsonObject object(Map<?, ?> map) {
        var members = new LinkedHashMap<String, JsonValue>();
        map.forEach((name, value) -> members.put(String.valueOf(name), of(value)));
        return new JsonObject(members);
    }
}
