package dev.cagewright.mcp.rpc;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import java.util.List;
import java.util.Map;

/// Texts that hold half a surrogate pair. JSON can spell them and UTF-8 cannot, so that two readers of one message may
/// see different texts: RFC 8259, section 8.2.
final class Halves {
    private Halves() {}

    /// Does a text anywhere in what `utf8` spells hold one?
    ///
    /// @param value that `utf8` is
    static boolean isIn(byte[] utf8, JsonValue value) {
        return hasSpelling(utf8) && isIn(value);
    }

    /// Is there an escape of a surrogate, half or whole? Most messages have none and need no closer look.
    private static boolean hasSpelling(byte[] utf8) {
        for (int i = 0; i + 2 < utf8.length; i++) {
            if (utf8[i] == '\\' && utf8[i + 1] == 'u' && (utf8[i + 2] | 0x20) == 'd') {
                return true;
            }
        }
        return false;
    }

    private static boolean isIn(JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> isHalf(text);
            case JsonArray(List<JsonValue> items) -> items.stream().anyMatch(Halves::isIn);
            case JsonObject object ->
                object.members().entrySet().stream()
                        .anyMatch((Map.Entry<String, JsonValue> one) -> isHalf(one.getKey()) || isIn(one.getValue()));
            default -> false;
        };
    }

    private static boolean isHalf(String text) {
        return text.codePoints()
                .anyMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }
}
