package dev.cagewright.cli.summary;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.action.ByteString;
import java.util.Base64;

/// A path as receipts have it: a text, or an object with base64.
final class ChangedName {
    private ChangedName() {}

    /// For people, escaped.
    static String of(JsonValue path) {
        return switch (path) {
            case JsonString(String text) -> ByteString.of(text).printable();
            case JsonObject object ->
                object.text("base64").map(ChangedName::decoded).orElse("?");
            default -> "?";
        };
    }

    private static String decoded(String base64) {
        try {
            return ByteString.copyOf(Base64.getDecoder().decode(base64)).printable();
        } catch (IllegalArgumentException _) {
            return "?";
        }
    }
}
