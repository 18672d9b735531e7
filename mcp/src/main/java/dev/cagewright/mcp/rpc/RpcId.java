package dev.cagewright.mcp.rpc;

import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/// What names a request among those under way: a text or a whole number, and `1` is another id than `"1"`.
public sealed interface RpcId {
    /// The longest text that an id may be, in bytes of UTF-8.
    int MAX_BYTES = 256;

    record Text(String value) implements RpcId {}

    record Whole(long value) implements RpcId {}

    /// What it is in a message.
    default JsonValue json() {
        return switch (this) {
            case Text(String value) -> new JsonString(value);
            case Whole(long value) -> JsonNumber.of(value);
        };
    }

    /// The id that `value` is; empty for null, a fraction, a number beyond 64 bits, `-0`, a text that is too long, or
    /// anything else.
    static Optional<RpcId> of(JsonValue value) {
        return switch (value) {
            case JsonString(String text)
            when text.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES -> Optional.of(new Text(text));
            case JsonNumber number when WholeForm.of(number.text()) -> Optional.of(new Whole(number.asLong()));
            default -> Optional.empty();
        };
    }

    /// A whole number of 64 bits in its one spelling.
    final class WholeForm {
        private static final Pattern DIGITS = Pattern.compile("0|-?[1-9][0-9]{0,18}");

        private WholeForm() {}

        static boolean of(String text) {
            if (!DIGITS.matcher(text).matches()) {
                return false;
            }
            try {
                return Long.toString(Long.parseLong(text)).equals(text);
            } catch (NumberFormatException _) {
                return false;
            }
        }
    }
}
