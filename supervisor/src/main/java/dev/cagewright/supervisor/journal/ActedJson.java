package dev.cagewright.supervisor.journal;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.act.FileActed;
import java.util.Locale;

/// What came of acts on files, as the log has it; never their content.
public final class ActedJson {
    private ActedJson() {}

    public static JsonObject of(FileActed acted) {
        return switch (acted) {
            case FileActed.Read read ->
                Json.object()
                        .put("done", true)
                        .put("bytes", read.content().size())
                        .put("size", read.size())
                        .build();
            case FileActed.Written written ->
                Json.object()
                        .put("done", true)
                        .put("size", written.size())
                        .put("was", written.was().name().toLowerCase(Locale.ROOT))
                        .build();
            case FileActed.Refused refused ->
                Json.object()
                        .put("done", false)
                        .put("why", refused.reason())
                        .put("at", refused.path().printable())
                        .build();
        };
    }

    /// Nothing was done.
    public static JsonObject of(ConfinementException failed) {
        return Json.object()
                .put("done", false)
                .put("why", String.valueOf(failed.getMessage()))
                .build();
    }
}
