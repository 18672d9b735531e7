package dev.cagewright.mcp.tools;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.action.ByteString;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/// The arguments of one call, held to what its tool knows: what is unknown, missing or of another kind is an
/// [IllegalArgumentException] that says what was expected.
final class Arguments {
    private final JsonObject given;

    private Arguments(JsonObject given) {
        this.given = given;
    }

    /// @param known all names that there are
    static Arguments of(JsonObject given, Set<String> known) {
        for (String name : given.members().keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("there is no argument " + new JsonString(name).brief()
                        + " (expected: " + String.join(", ", new TreeSet<>(known)) + ")");
            }
        }
        return new Arguments(given);
    }

    String text(String name) {
        return optionalText(name).orElseThrow(() -> new IllegalArgumentException(name + ": is missing"));
    }

    Optional<String> optionalText(String name) {
        return given.member(name).map(value -> text(name, value));
    }

    private static String text(String name, JsonValue value) {
        if (value instanceof JsonString(String text)) {
            return text;
        }
        throw new IllegalArgumentException(name + ": is no text (expected: a JSON string)");
    }

    /// One of `words`.
    String word(String name, String usual, List<String> words) {
        var word = optionalText(name).orElse(usual);
        if (!words.contains(word)) {
            throw new IllegalArgumentException(
                    name + ": " + new JsonString(word).brief() + " (expected: " + String.join(" or ", words) + ")");
        }
        return word;
    }

    OptionalLong whole(String name, long least, long most) {
        var value = given.member(name);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        if (value.get() instanceof JsonNumber number && number.text().matches("0|[1-9][0-9]{0,17}")) {
            long whole = number.asLong();
            if (whole >= least && whole <= most) {
                return OptionalLong.of(whole);
            }
        }
        throw new IllegalArgumentException(name + ": (expected: a whole number from " + least + " to " + most + ")");
    }

    boolean isSet(String name) {
        var value = given.member(name);
        if (value.isPresent() && !(value.get() instanceof JsonBoolean)) {
            throw new IllegalArgumentException(name + ": (expected: true or false)");
        }
        return value.filter(new JsonBoolean(true)::equals).isPresent();
    }

    List<String> texts(String name) {
        if (!(given.member(name).orElse(null) instanceof JsonArray(List<JsonValue> items))) {
            throw new IllegalArgumentException(name + ": (expected: an array of texts)");
        }
        var texts = new ArrayList<String>(items.size());
        for (JsonValue item : items) {
            texts.add(text(name, item));
        }
        return texts;
    }

    /// Texts by name; none where there is no such argument.
    Map<String, String> named(String name) {
        var value = given.member(name);
        if (value.isEmpty()) {
            return Map.of();
        }
        if (!(value.get() instanceof JsonObject object)) {
            throw new IllegalArgumentException(name + ": (expected: an object of texts)");
        }
        var all = new LinkedHashMap<String, String>();
        object.members().forEach((key, item) -> all.put(key, text(name + "." + key, item)));
        return all;
    }

    /// A text, or bytes in base64 where the argument `encoding` says so.
    Optional<ByteString> content(String name, String encoding, int most) {
        boolean isBinary =
                word(encoding, Told.UTF_8, List.of(Told.UTF_8, Told.BASE64)).equals(Told.BASE64);
        var content = optionalText(name).map(text -> isBinary ? decoded(name, text) : ByteString.of(text));
        if (content.isPresent() && content.get().size() > most) {
            throw new IllegalArgumentException(
                    name + ": " + content.get().size() + " bytes (expected: at most " + most + ")");
        }
        return content;
    }

    private static ByteString decoded(String name, String text) {
        try {
            return ByteString.copyOf(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": is no base64 (RFC 4648, section 4)", e);
        }
    }
}
