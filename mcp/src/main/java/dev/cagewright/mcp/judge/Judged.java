package dev.cagewright.mcp.judge;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import java.util.Optional;

/// What became of something that a server said.
///
/// @param value what may go on, unless it is withheld
/// @param bytes how much the server said, base64 counted as what it stands for
/// @param withheld why nothing of it may go on
public record Judged(JsonValue value, long bytes, Findings findings, Optional<String> withheld) {
    static Judged nothing() {
        return new Judged(JsonObject.EMPTY, 0, new Findings(), Optional.empty());
    }
}
