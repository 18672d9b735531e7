package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import java.util.List;

/// Which programs ran in a cage that lasts. A receipt that has this is a named cage's.
///
/// @param count how many were allowed to run
/// @param first the first of them in the order in which they were allowed, at most [#MOST]
public record ProgramsStated(long count, List<Program> first) {
    /// So many are in the receipt itself; the log has all.
    public static final int MOST = 1_000;

    /// The event of the log that says how a named cage ended.
    public static final String DOWN = "cage.down";

    /// The cause where a program was allowed and nobody knows how it ended.
    public static final String UNKNOWN = "unknown";

    /// The most words of one receipt's programs, bytes as written. The digests speak for the others.
    public static final int SHOWN = 1 << 20;

    /// One that was allowed.
    ///
    /// @param id the decision's
    /// @param cause one word, as in [RunEnd#cause], or [#UNKNOWN]
    /// @param status its own, 0 to 255; 0 where it did not run
    public record Program(String id, Argv argv, String cause, long status) {
        private JsonObject toJson() {
            return Json.object()
                    .put("id", id)
                    .put("argv", argv.toJson())
                    .put("cause", cause)
                    .put("status", status)
                    .build();
        }

        private static Program read(String where, JsonValue json) throws ReceiptSyntaxException {
            var members = Members.of(where, json);
            var program = new Program(
                    members.text("id"),
                    members.value("argv", Argv::read),
                    members.text("cause"),
                    members.count("status"));
            members.end();
            return program;
        }
    }

    public ProgramsStated {
        first = List.copyOf(first);
    }

    JsonObject toJson() {
        return Json.object()
                .put("count", count)
                .put(
                        "first",
                        new JsonArray(
                                first.stream().<JsonValue>map(Program::toJson).toList()))
                .build();
    }

    static ProgramsStated read(String where, JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of(where, json);
        var programs = new ProgramsStated(members.count("count"), members.list("first", Program::read));
        members.end();
        return programs;
    }
}
