package dev.cagewright.mcp.pin;

import dev.cagewright.audit.json.JsonObject;
import java.util.List;

/// What became of a list of definitions.
///
/// @param definitions those that clients may see, as the server has them and in its order
/// @param held the others
/// @param trust how those got here
public record Accepted(List<JsonObject> definitions, List<Held> held, Trust trust) {
    /// How definitions are trusted.
    public enum Trust {
        /// Nobody has looked at them: they were the first of this server.
        ON_FIRST_USE,
        /// They are what was there before.
        AS_PINNED
    }

    public Accepted {
        definitions = List.copyOf(definitions);
        held = List.copyOf(held);
    }
}
