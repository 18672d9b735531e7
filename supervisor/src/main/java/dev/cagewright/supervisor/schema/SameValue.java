package dev.cagewright.supervisor.schema;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNull;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import java.math.BigDecimal;
import java.util.TreeMap;

/// Values as JSON Schema compares them: the order of members does not count, and `1`, `1.0` and `1e0` are one number.
final class SameValue {
    /// Beyond such an exponent a number is compared by its text.
    static final int FARTHEST = 1_000;

    private SameValue() {}

    /// A text that is the same for values that are.
    static String key(JsonValue value) {
        var out = new StringBuilder();
        append(out, value);
        return out.toString();
    }

    private static void append(StringBuilder out, JsonValue value) {
        switch (value) {
            case JsonObject object -> {
                out.append('{');
                new TreeMap<>(object.members()).forEach((name, member) -> {
                    text(out, name);
                    append(out, member);
                });
                out.append('}');
            }
            case JsonArray array -> {
                out.append('[');
                array.items().forEach(item -> append(out, item));
                out.append(']');
            }
            case JsonString(String text) -> text(out, text);
            case JsonNumber number -> out.append('n').append(number(number)).append(';');
            case JsonBoolean(boolean truth) -> out.append(truth ? 't' : 'f');
            case JsonNull _ -> out.append('0');
        }
    }

    private static void text(StringBuilder out, String text) {
        out.append('s').append(text.length()).append(':').append(text);
    }

    private static String number(JsonNumber number) {
        var value = new BigDecimal(number.text());
        if (value.signum() == 0) {
            return "0";
        }
        return isFar(value) ? number.text() : value.stripTrailingZeros().toString();
    }

    /// Is it too large or too small to be reckoned with?
    static boolean isFar(BigDecimal value) {
        return Math.abs((long) value.scale()) > FARTHEST;
    }
}
