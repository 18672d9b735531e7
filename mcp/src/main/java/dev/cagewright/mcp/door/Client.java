package dev.cagewright.mcp.door;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.protocol.Dialect;
import dev.cagewright.mcp.protocol.LogLevel;
import dev.cagewright.mcp.protocol.ProtocolVersion;
import java.util.Optional;

/// Who asks: what a client said of itself, when it opened or with the request.
///
/// @param version that is spoken with it
/// @param capabilities what it can do
/// @param level of the lines it wants; empty if it wants none
record Client(ProtocolVersion version, JsonObject capabilities, Optional<LogLevel> level) {
    Dialect dialect() {
        return new Dialect(version);
    }

    Client withLevel(LogLevel wanted) {
        return new Client(version, capabilities, Optional.of(wanted));
    }

    boolean wants(LogLevel of) {
        return level.isPresent() && of.compareTo(level.get()) >= 0;
    }
}
