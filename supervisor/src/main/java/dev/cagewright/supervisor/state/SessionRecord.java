package dev.cagewright.supervisor.state;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What is kept of a session beside the audit log: enough to list it and to find its log. Printable text
/// only; the log has the bytes.
///
/// @param command the program and its arguments as printable text
/// @param auditLog the log's path
/// @param policy the policy as the person named it, and its digest
/// @param end absent while it runs, and for ever if the supervisor was killed
public record SessionRecord(
        SessionId id,
        String cage,
        List<String> command,
        String workspace,
        String auditLog,
        Policy policy,
        Instant start,
        Optional<End> end) {
    /// Which policy was in force.
    ///
    /// @param sha256 of the file's bytes, 64 hexadecimal digits; empty for the built-in policy
    public record Policy(String name, String sha256) {}

    /// How a session ended.
    ///
    /// @param state one word: `exited`, `denied`, `failed`, `timeout` ...
    public record End(Instant at, String state, int exit) {}

    public SessionRecord {
        command = List.copyOf(command);
    }

    public SessionRecord ended(End how) {
        return new SessionRecord(id, cage, command, workspace, auditLog, policy, start, Optional.of(how));
    }

    public JsonObject toJson() {
        var json = Json.object()
                .put("id", id.value())
                .put("cage", cage)
                .put("command", command)
                .put("workspace", workspace)
                .put("audit", auditLog)
                .put("policy", policy.name())
                .put("policy_sha256", policy.sha256())
                .put("start", start.toString());
        end.ifPresent(how ->
                json.put("end", how.at().toString()).put("state", how.state()).put("exit", how.exit()));
        return json.build();
    }

    /// @throws IOException if a member is missing or of another kind; a cut file is never read as a whole one
    static SessionRecord parse(byte[] text) throws IOException {
        try {
            if (!(Json.parse(text) instanceof JsonObject json)) {
                throw new IOException("session record: not an object");
            }
            var record = new SessionRecord(
                    new SessionId(text(json, "id")),
                    text(json, "cage"),
                    words(json),
                    text(json, "workspace"),
                    text(json, "audit"),
                    new Policy(text(json, "policy"), text(json, "policy_sha256")),
                    Instant.parse(text(json, "start")),
                    Optional.empty());
            return json.member("end").isPresent() ? record.ended(end(json)) : record;
        } catch (JsonSyntaxException | IllegalArgumentException | DateTimeException e) {
            throw new IOException("session record: " + e.getMessage(), e);
        }
    }

    private static End end(JsonObject json) throws IOException {
        if (json.member("exit").orElse(null) instanceof JsonNumber(String digits)) {
            return new End(Instant.parse(text(json, "end")), text(json, "state"), Integer.parseInt(digits));
        }
        throw new IOException("session record: no \"exit\"");
    }

    private static List<String> words(JsonObject json) throws IOException {
        if (json.member("command").orElse(null) instanceof JsonArray(List<JsonValue> items)) {
            return items.stream()
                    .map(item -> item instanceof JsonString(String word) ? word : "?")
                    .toList();
        }
        throw new IOException("session record: no \"command\"");
    }

    private static String text(JsonObject json, String member) throws IOException {
        return json.text(member).orElseThrow(() -> new IOException("session record: no \"" + member + "\""));
    }
}
