package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;

/// What ran before the program, in a cage of its own on the same files.
///
/// @param argv what was to run
/// @param cage what its cage was made of
/// @param end how it ended; the code is the one that the command would have ended with
public record SetupStated(Argv argv, CageStated cage, RunEnd end) {
    JsonObject toJson() {
        return Json.object()
                .put("argv", argv.toJson())
                .put("cage", cage.toJson())
                .put("end", end.toJson())
                .build();
    }

    static SetupStated read(String where, JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of(where, json);
        var setup = new SetupStated(
                members.value("argv", Argv::read),
                members.value("cage", CageStated::read),
                members.value("end", RunEnd::read));
        members.end();
        return setup;
    }
}
