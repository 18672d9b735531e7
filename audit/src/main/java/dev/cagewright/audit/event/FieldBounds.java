package dev.cagewright.audit.event;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Keeps a line below its bound. What does not fit is replaced by a marker that says so and carries the size and
/// the digest of what was left out.
final class FieldBounds {
    /// The largest action and the largest detail, in bytes as written.
    static final int MAX_OBJECT = 256 << 10;

    /// The largest list of rules, in bytes as written.
    static final int MAX_RULES = 64 << 10;

    /// How deep an action or a detail may nest.
    static final int MAX_DEPTH = 32;

    /// In an object that is too large, strings longer than this are shortened, in chars.
    static final int LONG_STRING = 4096;

    private static final int KEPT = 1024;

    private FieldBounds() {}

    static byte[] object(JsonObject object) {
        byte[] whole;
        try {
            whole = object.bytes(MAX_DEPTH);
        } catch (IllegalStateException e) {
            return replaced(
                    object,
                    Json.object().put("reason", String.valueOf(e.getMessage())).build());
        }
        if (whole.length <= MAX_OBJECT) {
            return whole;
        }
        var shortened = shorten(object).bytes(MAX_DEPTH + 1);
        if (shortened.length <= MAX_OBJECT) {
            return shortened;
        }
        return replaced(object, measure(whole));
    }

    static byte[] rules(List<String> rules) {
        var whole = Json.of(rules).bytes();
        if (whole.length <= MAX_RULES) {
            return whole;
        }
        var kept = new ArrayList<JsonValue>();
        int room = MAX_RULES - 1024;
        for (var rule : rules) {
            var value = shorten(new JsonString(rule));
            room -= value.bytes().length + 1;
            if (room < 0) {
                break;
            }
            kept.add(value instanceof JsonString ? value : new JsonString("[cut] " + value.write()));
        }
        kept.add(new JsonString("[cut] " + (rules.size() - kept.size()) + " more rules"));
        return new JsonArray(kept).bytes();
    }

    private static byte[] replaced(JsonObject object, JsonObject cut) {
        var marker = Json.object();
        object.text("name").ifPresent(name -> marker.put("name", shorten(new JsonString(name))));
        return marker.put("cut", cut).build().bytes();
    }

    private static JsonValue shorten(JsonValue value) {
        return switch (value) {
            case JsonString(String text) when text.length() > LONG_STRING -> cut(text);
            case JsonNumber _, JsonString _ -> value;
            case JsonArray(var items) ->
                new JsonArray(items.stream().map(FieldBounds::shorten).toList());
            case JsonObject(var members) -> {
                var copy = Json.object();
                members.forEach((name, member) -> copy.put(name, shorten(member)));
                yield copy.build();
            }
            default -> value;
        };
    }

    private static JsonObject cut(String text) {
        int end = Character.isHighSurrogate(text.charAt(KEPT - 1)) ? KEPT - 1 : KEPT;
        return Json.object()
                .put("cut", measure(text.getBytes(StandardCharsets.UTF_8)))
                .put("start", text.substring(0, end))
                .build();
    }

    private static JsonObject measure(byte[] whole) {
        return Json.object()
                .put("bytes", whole.length)
                .put("sha256", HexFormat.of().formatHex(sha256().digest(whole)))
                .build();
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing from this JDK", e);
        }
    }
}
