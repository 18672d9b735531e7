package dev.cagewright.supervisor.resident;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;

/// A named cage that is up, as it stands.
///
/// @param session its session's id
/// @param since when it came up
/// @param programs how many run that somebody started in it, its own among them
/// @param own what its own program does: `runs`, `ended with 3`; empty where it has none
/// @param denials how often something was denied
public record CageState(String name, String session, Instant since, long programs, String own, long denials) {
    public JsonObject toJson() {
        return Json.object()
                .put("name", name)
                .put("session", session)
                .put("since", since.toString())
                .put("programs", programs)
                .put("own", own)
                .put("denials", denials)
                .build();
    }

    /// @throws DateTimeException if it is none
    static CageState read(JsonObject json) {
        return new CageState(
                json.text("name").orElse(""),
                json.text("session").orElse(""),
                Instant.parse(json.text("since").orElse("")),
                count(json, "programs"),
                json.text("own").orElse(""),
                count(json, "denials"));
    }

    private static long count(JsonObject json, String name) {
        return json.member(name).orElse(null) instanceof JsonNumber number ? number.asLong() : 0;
    }
}
