package dev.cagewright.mcp.door;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.offer.Caller.Question;
import dev.cagewright.mcp.protocol.ProtocolVersion;
import java.time.Duration;
import java.util.Map;

/// How a client is asked for something while its own request is under way.
interface Asking {
    /// How long a client may take.
    Duration PATIENCE = Duration.ofMinutes(10);

    Map<String, JsonObject> ask(Call call, Map<String, Question> questions) throws InterruptedException;

    /// Can `client` be asked that?
    static boolean canTake(Client client, Question question) {
        return switch (question.method()) {
            case "elicitation/create" ->
                client.version().isAtLeast(ProtocolVersion.V2025_06_18) && has(client, "elicitation");
            case "sampling/createMessage" -> has(client, "sampling");
            case "roots/list" -> has(client, "roots");
            default -> false;
        };
    }

    private static boolean has(Client client, String capability) {
        return client.capabilities().member(capability).orElse(JsonObject.EMPTY) instanceof JsonObject
                && client.capabilities().member(capability).isPresent();
    }
}
