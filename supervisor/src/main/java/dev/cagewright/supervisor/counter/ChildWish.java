package dev.cagewright.supervisor.counter;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.quantity.TimeSpan;
import dev.cagewright.policy.token.Link;
import dev.cagewright.policy.token.RevId;
import dev.cagewright.policy.token.Token;
import dev.cagewright.policy.token.right.Axis;
import dev.cagewright.policy.token.right.Rights;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What a caged program asks for: one JSON object. An axis that it does not name stays as the parent has it; an empty
/// list grants nothing there.
final class ChildWish {
    private static final String NAME = "name";
    private static final String PARENT = "parent";
    private static final String EXPIRES_IN = "expires_in";

    private final JsonObject wish;

    private ChildWish(JsonObject wish) {
        this.wish = wish;
    }

    /// @throws IllegalArgumentException if it is anything else, naming what was expected
    static ChildWish parse(byte[] body) {
        try {
            if (!(Json.parse(body) instanceof JsonObject wish)) {
                throw new IllegalArgumentException(
                        "body: (expected: one JSON object, such as {\"methods\": [\"GET\"]})");
            }
            var known = known();
            for (String member : wish.members().keySet()) {
                if (!known.contains(member)) {
                    throw new IllegalArgumentException("body: an unknown member (expected: some of "
                            + String.join(", ", known.stream().sorted().toList()) + ")");
                }
            }
            return new ChildWish(wish);
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException("body: no JSON: " + e.getMessage(), e);
        }
    }

    private static Set<String> known() {
        var known = new HashSet<>(List.of(NAME, PARENT, EXPIRES_IN));
        Arrays.stream(Axis.values()).map(Axis::word).forEach(known::add);
        Arrays.stream(Budget.Measure.values()).map(Budget.Measure::word).forEach(known::add);
        return known;
    }

    /// The text of the token to narrow; empty for the session's own.
    Optional<byte[]> parent() {
        return text(PARENT).map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    /// The link that is to be added.
    ///
    /// @param by the session, and the how-manieth of it: together a name that nobody else has
    /// @param now seconds of Unix time
    Link link(Token parent, String by, long now) {
        var name = text(NAME).orElse("child");
        if (!name.matches("[a-z0-9][a-z0-9._-]{0,23}")) {
            throw new IllegalArgumentException(
                    "name: (expected: 1 to 24 of a-z, 0-9, '.', '_' and '-', the first a letter or digit)");
        }
        return new Link(
                new RevId(by + "." + name),
                Optional.empty(),
                now,
                Math.max(now + 1, seconds().map(some -> now + some).orElse(parent.expires())),
                rights(parent.head().rights()));
    }

    private Optional<Long> seconds() {
        return text(EXPIRES_IN).map(text -> {
            long seconds = TimeSpan.parse(EXPIRES_IN, text).value().toSeconds();
            if (seconds < 1) {
                throw new IllegalArgumentException(EXPIRES_IN + ": (expected: at least 1s)");
            }
            return seconds;
        });
    }

    private Rights rights(Rights base) {
        var rights = base;
        for (Axis axis : Axis.values()) {
            var entries = entries(axis.word());
            rights = entries.isEmpty() ? rights : rights.with(axis, entries.get());
        }
        var bound = base.budget();
        return rights.withBudget(new Budget(
                text("requests")
                        .map(text -> Budget.parseRequests("requests", text))
                        .or(bound::requests),
                text("sent").map(text -> Budget.parseBytes("sent", text)).or(bound::sent),
                text("received")
                        .map(text -> Budget.parseBytes("received", text))
                        .or(bound::received)));
    }

    private Optional<String> text(String member) {
        return wish.member(member).map(value -> string(member, value));
    }

    private Optional<List<String>> entries(String member) {
        return wish.member(member).map(value -> {
            if (!(value instanceof JsonArray(List<JsonValue> items))) {
                throw new IllegalArgumentException(member + ": (expected: a list of texts)");
            }
            var entries = new ArrayList<String>();
            items.forEach(item -> entries.add(string(member, item)));
            return entries;
        });
    }

    private static String string(String member, JsonValue value) {
        if (value instanceof JsonString(String text)) {
            return text;
        }
        throw new IllegalArgumentException(member + ": (expected: a text)");
    }
}
