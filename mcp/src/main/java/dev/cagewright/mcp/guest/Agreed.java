package dev.cagewright.mcp.guest;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.protocol.ProtocolVersion;
import java.util.Optional;

/// What a server said of itself when it opened.
///
/// @param version that is spoken with it
/// @param instructions for a model, as the server wrote them
public record Agreed(ProtocolVersion version, JsonObject info, JsonObject capabilities, Optional<String> instructions) {
    /// Has it anything of that kind: `tools`, `resources`, `prompts`, `completions`, `logging`?
    public boolean has(String capability) {
        return capabilities.member(capability).isPresent();
    }
}
