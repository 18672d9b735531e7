package dev.cagewright.supervisor.fetch;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.egress.here.HostClient;
import dev.cagewright.egress.here.HostRequest;
import dev.cagewright.policy.action.HostName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What somebody asks of a named cage's network, as JSON says it.
///
/// @param cage its name
/// @param body comes by itself
public record FetchWish(
        String cage, FetchOrder order, HostClient.Limits limits, Optional<Credential> credential, Body body) {
    /// The most that is sent, bytes.
    public static final int MOST_BODY = 8 << 20;

    /// The most of an answer that is handed on, bytes; and as much where nothing is said.
    public static final long MOST_ANSWER = 64L << 20;

    /// The longest that is waited, and the usual, milliseconds.
    private static final long LONGEST = Duration.ofMinutes(10).toMillis();

    private static final long USUAL = Duration.ofMinutes(2).toMillis();

    /// A secret that goes along.
    ///
    /// @param field its field's name; empty for `Authorization: Bearer`
    public record Credential(String name, Optional<String> field) {}

    /// Is something sent?
    public enum Body {
        NONE,
        FOLLOWS
    }

    /// Reads it.
    ///
    /// @throws IllegalArgumentException if it is none; the message names the member
    public static FetchWish read(JsonObject asked) {
        var scheme = scheme(text(asked, "scheme").orElse("https"));
        var port = number(asked, "port", scheme == HostRequest.Scheme.HTTPS ? 443 : 80, 65_535);
        var order = new FetchOrder(
                scheme,
                text(asked, "method").orElse("GET"),
                new FetchOrder.Authority(new HostName(text(asked, "host").orElse("")), (int) port),
                text(asked, "target").orElse("/"),
                headers(asked));
        var limits = new HostClient.Limits(
                number(asked, "most", MOST_ANSWER, MOST_ANSWER),
                Duration.ofMillis(number(asked, "patience_ms", USUAL, LONGEST)));
        var credential = text(asked, "credential").map(name -> new Credential(name, text(asked, "field")));
        return new FetchWish(text(asked, "name").orElse(""), order, limits, credential, body(asked));
    }

    private static HostRequest.Scheme scheme(String word) {
        return switch (word) {
            case "https" -> HostRequest.Scheme.HTTPS;
            case "http" -> HostRequest.Scheme.HTTP;
            default -> throw new IllegalArgumentException("scheme: (expected: https or http)");
        };
    }

    private static Body body(JsonObject asked) {
        return switch (asked.member("body").orElse(new JsonBoolean(false))) {
            case JsonBoolean(boolean follows) -> follows ? Body.FOLLOWS : Body.NONE;
            default -> throw new IllegalArgumentException("body: (expected: true or false)");
        };
    }

    private static List<HostRequest.Header> headers(JsonObject asked) {
        return switch (asked.member("headers").orElse(new JsonArray(List.of()))) {
            case JsonArray(List<JsonValue> items) ->
                items.stream()
                        .map(item -> HostRequest.Header.parse(text("headers", item)))
                        .toList();
            default -> throw new IllegalArgumentException("headers: (expected: a list of Name: value)");
        };
    }

    private static Optional<String> text(JsonObject asked, String name) {
        return asked.member(name).map(value -> text(name, value));
    }

    private static String text(String name, JsonValue value) {
        if (value instanceof JsonString(String text)) {
            return text;
        }
        throw new IllegalArgumentException(name + ": (expected: a text)");
    }

    private static long number(JsonObject asked, String name, long usual, long most) {
        var value = asked.member(name);
        if (value.isEmpty()) {
            return usual;
        }
        if (value.get() instanceof JsonNumber number && number.asLong() >= 1 && number.asLong() <= most) {
            return number.asLong();
        }
        throw new IllegalArgumentException(name + ": (expected: 1 to " + most + ")");
    }
}
