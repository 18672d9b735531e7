package dev.cagewright.mcp.tools;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.ConfinementException;
import java.io.IOException;
import java.util.Set;

/// One tool. Safe for all threads.
sealed interface Tool permits RunCommand, ReadFile, WriteFile, HttpFetch {
    String name();

    /// As `tools/list` shows it.
    JsonObject definition();

    /// The names of its arguments.
    Set<String> arguments();

    /// Does it.
    ///
    /// @throws IllegalArgumentException naming the argument that is wrong, and what is expected; nothing was done
    /// @throws DeniedException if it is not allowed; on record
    /// @throws ConfinementException if there is no cage to do it in; on record
    /// @throws IOException if it could not be done or recorded
    ToolAnswer call(Arguments arguments, Call call)
            throws DeniedException, ConfinementException, IOException, InterruptedException;

    /// A definition that the product itself holds.
    static JsonObject definition(String text) {
        try {
            if (Json.parse(text) instanceof JsonObject definition) {
                return definition;
            }
        } catch (JsonSyntaxException e) {
            throw new IllegalStateException(e);
        }
        throw new IllegalStateException("a definition is an object");
    }
}
