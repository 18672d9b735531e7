package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.supervisor.session.RunOutcome;
import java.util.List;
import java.util.Locale;

/// How a run ended and what it used.
///
/// @param cause one word: `exited`, `signalled`, `timeout`, `memory`, `output`, `killed`, `not_started`; `denied`,
///     `no_program`, `no_cage` or `setup_failed` when nothing ran; `stopped` or `ended` for a named cage that was up
/// @param status of the program, 0 to 255, as the log has it; 0 when nothing ran, and for a named cage
/// @param code what the command ended with, docs/exit-codes.md
/// @param why one sentence; empty for an ordinary end
/// @param afterwards what changed that the host would execute, each one sentence
public record RunEnd(
        String cause, long status, long code, String why, Used used, List<String> notices, List<String> afterwards) {
    /// The cause where the set-up did not go well.
    public static final String SETUP_FAILED = "setup_failed";

    /// Nothing ran.
    private static final Used NOTHING = new Used(0, 0, 0, 0, 0, 0);

    /// Times in milliseconds, everything else in bytes.
    ///
    /// @param memory resident memory of the largest process
    /// @param out what it wrote to its output, kept or not
    /// @param err what it wrote to its error output, kept or not
    public record Used(long wall, long user, long system, long memory, long out, long err) {
        static Used of(Exit exit) {
            var usage = exit.usage();
            return new Used(
                    usage.wall().toMillis(),
                    usage.user().toMillis(),
                    usage.system().toMillis(),
                    Math.max(0, usage.maxResidentBytes()),
                    exit.output().outBytes(),
                    exit.output().errBytes());
        }

        private JsonObject toJson() {
            return Json.object()
                    .put("wall_ms", wall)
                    .put("user_ms", user)
                    .put("system_ms", system)
                    .put("max_rss_bytes", memory)
                    .put("out_bytes", out)
                    .put("err_bytes", err)
                    .build();
        }

        private static Used read(String where, JsonValue json) throws ReceiptSyntaxException {
            var members = Members.of(where, json);
            var used = new Used(
                    members.count("wall_ms"),
                    members.count("user_ms"),
                    members.count("system_ms"),
                    members.count("max_rss_bytes"),
                    members.count("out_bytes"),
                    members.count("err_bytes"));
            members.end();
            return used;
        }
    }

    public RunEnd {
        notices = List.copyOf(notices);
        afterwards = List.copyOf(afterwards);
    }

    /// Nothing ran, because it was denied.
    ///
    /// @param code what the command ended with
    public static RunEnd denied(String why, int code) {
        return new RunEnd("denied", 0, code, why, NOTHING, List.of(), List.of());
    }

    /// Nothing ran, because what had to come before did not go well.
    ///
    /// @param code what the command ended with
    public static RunEnd notBegun(String why, int code) {
        return new RunEnd(SETUP_FAILED, 0, code, why, NOTHING, List.of(), List.of());
    }

    /// The end of a named cage that was up.
    ///
    /// @param cause `stopped` if somebody wanted it, `ended` if it ended of itself, `failed` if it could not begin
    /// @param used by its programs together, in the time that it was up
    /// @param afterwards what it left, each one sentence
    public static RunEnd ofCage(String cause, Used used, List<String> afterwards) {
        return new RunEnd(cause, 0, 0, "", used, List.of(), Bounded.sentences(afterwards));
    }

    /// Nothing ran, because no cage could be built.
    ///
    /// @param code what the command ended with
    public static RunEnd noCage(String why, int code) {
        return new RunEnd("no_cage", 0, code, why, NOTHING, List.of(), List.of());
    }

    /// The end of what was allowed.
    ///
    /// @param code what the command ended with
    public static RunEnd of(RunOutcome outcome, int code) {
        return switch (outcome) {
            case RunOutcome.Ended ended ->
                new RunEnd(
                        ended.exit().cause().name().toLowerCase(Locale.ROOT),
                        ended.exit().status(),
                        code,
                        ended.exit().detail(),
                        Used.of(ended.exit()),
                        Bounded.sentences(ended.notices()),
                        Bounded.sentences(ended.afterwards()));
            case RunOutcome.NoProgram missing ->
                new RunEnd(
                        "no_program",
                        0,
                        code,
                        missing.reason(),
                        NOTHING,
                        Bounded.sentences(missing.notices()),
                        List.of());
            case RunOutcome.NoCage failed ->
                new RunEnd(
                        "no_cage",
                        0,
                        code,
                        String.valueOf(failed.cause().getMessage()),
                        NOTHING,
                        Bounded.sentences(failed.notices()),
                        List.of());
        };
    }

    /// Did a program run?
    public boolean ran() {
        return switch (cause) {
            case "denied", "no_program", "no_cage", "not_started", SETUP_FAILED -> false;
            default -> true;
        };
    }

    JsonObject toJson() {
        return Json.object()
                .put("cause", cause)
                .put("status", status)
                .put("code", code)
                .put("why", why)
                .put("used", used.toJson())
                .put("notices", notices)
                .put("afterwards", afterwards)
                .build();
    }

    static RunEnd read(String where, JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of(where, json);
        var end = new RunEnd(
                members.text("cause"),
                members.count("status"),
                members.count("code"),
                members.text("why"),
                members.value("used", Used::read),
                members.texts("notices"),
                members.texts("afterwards"));
        members.end();
        return end;
    }
}
