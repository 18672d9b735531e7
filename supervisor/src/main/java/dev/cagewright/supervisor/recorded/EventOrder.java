package dev.cagewright.supervisor.recorded;

import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.read.EventQuery;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/// Which events somebody asks for, as JSON says it.
public final class EventOrder {
    /// So many come where no number is said.
    public static final long USUAL = 50;

    /// The most that one question gets.
    public static final long MOST = 10_000;

    private EventOrder() {}

    /// Reads it.
    ///
    /// @param asked `session`, `action`, `decision`, `since` (RFC 3339) and `limit`, each of which may be absent
    /// @throws IllegalArgumentException if it is none
    public static EventQuery read(JsonObject asked) {
        return new EventQuery(
                text(asked, "session"), text(asked, "action"), text(asked, "decision"), since(asked), limit(asked));
    }

    /// What is said must be a text: a filter that is not understood must not become none.
    private static Optional<String> text(JsonObject asked, String name) {
        return asked.member(name)
                .map(value -> value instanceof JsonString(String text) ? Optional.of(text) : Optional.<String>empty())
                .map(text -> text.orElseThrow(() -> new IllegalArgumentException(name + ": (expected: a text)")));
    }

    private static Optional<Instant> since(JsonObject asked) {
        try {
            return text(asked, "since").map(Instant::parse);
        } catch (DateTimeException _) {
            throw new IllegalArgumentException("since: (expected: like 2026-01-31T12:00:00Z)");
        }
    }

    private static long limit(JsonObject asked) {
        var limit = asked.member("limit");
        if (limit.isEmpty()) {
            return USUAL;
        }
        if (limit.get() instanceof JsonNumber number && number.asLong() >= 1 && number.asLong() <= MOST) {
            return number.asLong();
        }
        throw new IllegalArgumentException("limit: (expected: 1 to " + MOST + ")");
    }
}
