package dev.cagewright.mcp.judge;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.secrets.redact.Redaction;
import dev.cagewright.secrets.redact.Redactor;
import dev.cagewright.supervisor.credentials.RunSecrets;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What a judge has to know of a server's cage.
///
/// @param here the server's working directory, which relative paths count from
/// @param secrets values that never come out, nor go in; whoever made it closes it
/// @param decoys what stands in the cage for secrets
public record JudgeGround(GuestPath here, Optional<Redaction> secrets, List<String> decoys) {
    public JudgeGround {
        decoys = List.copyOf(decoys);
    }

    /// A cage without secrets.
    public static JudgeGround of(GuestPath here) {
        return new JudgeGround(here, Optional.empty(), List.of());
    }

    /// A cage with these.
    ///
    /// @param redaction of their values
    public static JudgeGround of(GuestPath here, Redaction redaction, RunSecrets secrets) {
        Collection<String> decoys = secrets.decoys().values();
        return new JudgeGround(here, Optional.of(redaction), List.copyOf(decoys));
    }

    /// The names of the cage's secrets whose values are in `value`, in any spelling. One that is spread over several
    /// texts is not found.
    public Set<String> secretsIn(JsonValue value) {
        var found = new TreeSet<String>();
        secrets.filter(known -> !known.isIdle()).ifPresent(known -> find(known, value, found));
        return found;
    }

    private static void find(Redaction known, JsonValue value, Set<String> found) {
        switch (value) {
            case JsonObject object ->
                object.members().forEach((name, member) -> {
                    find(known, new JsonString(name), found);
                    find(known, member, found);
                });
            case JsonArray(List<JsonValue> items) -> items.forEach(item -> find(known, item, found));
            case JsonString(String text) -> {
                var redactor = Redactor.ofText(known);
                redactor.next(text.getBytes(StandardCharsets.UTF_8));
                redactor.end();
                found.addAll(redactor.names());
            }
            default -> {
                return; // no text
            }
        }
    }
}
