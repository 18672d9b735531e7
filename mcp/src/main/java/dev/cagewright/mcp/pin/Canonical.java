package dev.cagewright.mcp.pin;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.TreeMap;

/// One form of a value: members by name, as RFC 8785 orders them. Nothing else is changed: `1` is not `1.0`, and an
/// absent member is not null.
final class Canonical {
    private Canonical() {}

    static JsonValue of(JsonValue value) {
        return switch (value) {
            case JsonObject object -> object(object);
            case JsonArray array ->
                new JsonArray(array.items().stream().map(Canonical::of).toList());
            default -> value;
        };
    }

    static JsonObject object(JsonObject object) {
        var members = new LinkedHashMap<String, JsonValue>();
        new TreeMap<>(object.members()).forEach((name, member) -> members.put(name, of(member)));
        return new JsonObject(members);
    }

    /// SHA-256 over the canonical form in UTF-8, in hexadecimal digits.
    static String digest(JsonValue value) {
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(of(value).bytes()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
