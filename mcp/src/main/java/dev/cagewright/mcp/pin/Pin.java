package dev.cagewright.mcp.pin;

import dev.cagewright.audit.json.JsonObject;
import java.util.Optional;

/// One thing of a server's, as the book has it.
///
/// @param name of a tool, a prompt, a template
/// @param accepted as a person accepted it, or as it was first; empty where nobody has yet
/// @param offered what the server says now, where that is something else; held
public record Pin(PinKind kind, String name, Optional<JsonObject> accepted, Optional<JsonObject> offered) {
    /// Is there something that a person has not accepted?
    public boolean isHeld() {
        return offered.isPresent();
    }

    /// The digest of what is accepted, or else of what is offered: SHA-256, hexadecimal.
    public String digest() {
        return accepted.or(() -> offered).map(Canonical::digest).orElse("");
    }

    /// The same with what is offered accepted.
    Pin settled() {
        return new Pin(kind, name, offered.or(() -> accepted), Optional.empty());
    }
}
