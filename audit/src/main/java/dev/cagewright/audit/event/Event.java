package dev.cagewright.audit.event;

import dev.cagewright.audit.json.JsonObject;
import java.util.List;

/// Something to be recorded. Long fields are shortened when the line is made, each with a marker that tells the full
/// size and digest; see `docs/audit-format.md`.
///
/// @param action what was wanted; its member `name` is the action's name, e.g. `proc.exec`. Names that start with
///     `log.` belong to the log itself
/// @param detail whatever else is worth knowing; empty most of the time
public record Event(Origin origin, Kind kind, JsonObject action, Ruling ruling, JsonObject detail) {
    /// The action names that only the log itself may use start with this.
    public static final String RESERVED = "log.";

    /// Before, after, or beside the act.
    public enum Kind {
        /// What was decided, on disk before anything happens.
        INTENT("intent"),
        /// How an allowed act ended. An intent without one was interrupted.
        OUTCOME("outcome"),
        /// Anything else.
        NOTE("note");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /// As the line says it.
        public String word() {
            return word;
        }
    }

    /// A decision in words.
    ///
    /// @param decision `allow`, `deny` or `ask` on intents; free elsewhere, and empty for none
    /// @param rules the rules that settled it, most specific first
    public record Ruling(String decision, List<String> rules) {
        /// The word for an allowed intent, the only kind that an outcome is expected for.
        public static final String ALLOW = "allow";

        /// Nothing was decided.
        public static final Ruling NONE = new Ruling("", List.of());

        public Ruling {
            Origin.bounded("decision", decision);
            rules = List.copyOf(rules);
        }
    }

    public static Event intent(Origin origin, JsonObject action, Ruling ruling) {
        return new Event(origin, Kind.INTENT, action, ruling, JsonObject.EMPTY);
    }

    public static Event outcome(Origin origin, JsonObject action, JsonObject detail) {
        return new Event(origin, Kind.OUTCOME, action, Ruling.NONE, detail);
    }

    public static Event note(Origin origin, JsonObject action, JsonObject detail) {
        return new Event(origin, Kind.NOTE, action, Ruling.NONE, detail);
    }

    /// The same with another ruling.
    public Event ruled(Ruling newRuling) {
        return new Event(origin, kind, action, newRuling, detail);
    }

    /// The same with another detail.
    public Event detailed(JsonObject newDetail) {
        return new Event(origin, kind, action, ruling, newDetail);
    }

    /// The action's name; empty if it has none.
    public String actionName() {
        return action.text("name").orElse("");
    }
}
