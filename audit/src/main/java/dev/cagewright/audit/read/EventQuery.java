package dev.cagewright.audit.read;

import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.seal.Seal;
import java.time.Instant;
import java.util.Optional;

/// Which events are wanted. What is empty does not restrict, but seals are wanted only by their name, `log.seal`.
///
/// @param session the session's id
/// @param action the action's name, e.g. `proc.exec`
/// @param decision `allow`, `deny` or `ask`
/// @param since not before this time
/// @param limit how many at most, from 1
public record EventQuery(
        Optional<String> session,
        Optional<String> action,
        Optional<String> decision,
        Optional<Instant> since,
        long limit) {
    /// Every event.
    public static final EventQuery ALL =
            new EventQuery(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Long.MAX_VALUE);

    public EventQuery {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: at least 1)");
        }
    }

    /// Only events of one session.
    public EventQuery ofSession(String id) {
        return new EventQuery(Optional.of(id), action, decision, since, limit);
    }

    /// Only events about one kind of action.
    public EventQuery ofAction(String name) {
        return new EventQuery(session, Optional.of(name), decision, since, limit);
    }

    /// Only events with one decision.
    public EventQuery ofDecision(String word) {
        return new EventQuery(session, action, Optional.of(word), since, limit);
    }

    /// Only events at or after a time.
    public EventQuery notBefore(Instant time) {
        return new EventQuery(session, action, decision, Optional.of(time), limit);
    }

    /// At most so many events.
    public EventQuery atMost(long most) {
        return new EventQuery(session, action, decision, since, most);
    }

    boolean matches(LogLine line) {
        var event = line.event();
        return session.map(event.origin().session()::equals).orElse(true)
                && action.map(event.actionName()::equals).orElseGet(() -> !Seal.is(line))
                && decision.map(event.ruling().decision()::equals).orElse(true)
                && !isBefore(line);
    }

    /// Is `line`, and so everything above it, too old?
    boolean isBefore(LogLine line) {
        return since.map(line.time()::isBefore).orElse(false);
    }
}
