package dev.cagewright.supervisor.resident;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.programs.ProgramNotFoundException.Kind;
import dev.cagewright.supervisor.session.RunOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// How a program in a named cage ended, for whoever started it.
///
/// @param code what the command ends with, docs/exit-codes.md
/// @param told what a person should hear of it, each one sentence
/// @param facts for programs: `id` of the decision and `outcome` as the audit log has it, where it was allowed
public record Ends(int code, List<String> told, JsonObject facts) {
    static final int USAGE = 2;
    static final int DENIED = 5;
    private static final int TIMEOUT = 124;
    static final int FAILED = 125;
    private static final int NOT_EXECUTABLE = 126;
    private static final int NOT_FOUND = 127;

    public Ends {
        told = List.copyOf(told);
    }

    Ends(int code, List<String> told) {
        this(code, told, JsonObject.EMPTY);
    }

    static Ends of(RunOutcome outcome) {
        var ends = ended(outcome);
        var facts = Json.object().put("id", outcome.id().value()).put("outcome", outcome.toJson());
        return new Ends(ends.code(), ends.told(), facts.build());
    }

    private static Ends ended(RunOutcome outcome) {
        return switch (outcome) {
            case RunOutcome.Ended ended -> of(ended.exit());
            case RunOutcome.NoProgram missing ->
                new Ends(missing.kind() == Kind.MISSING ? NOT_FOUND : NOT_EXECUTABLE, List.of(missing.reason()));
            case RunOutcome.NoCage failed ->
                new Ends(
                        FAILED,
                        List.of(
                                "no cage: " + failed.cause().getMessage(),
                                "remedy: " + failed.cause().remedy()));
        };
    }

    private static Ends of(Exit exit) {
        var told = new ArrayList<String>();
        if (!exit.detail().isEmpty() || (exit.cause() != Exit.Cause.EXITED && exit.cause() != Exit.Cause.SIGNALLED)) {
            told.add(exit.cause().name().toLowerCase(Locale.ROOT) + ": " + exit.detail());
        }
        if (exit.output().truncated()) {
            told.add("output cut: " + (exit.output().outBytes() + exit.output().errBytes()) + " bytes were written");
        }
        return new Ends(exit.cause() == Exit.Cause.TIMEOUT ? TIMEOUT : exit.status(), told);
    }

    /// The same for a program that was ended because its time was over.
    Ends late() {
        return new Ends(TIMEOUT, told, facts)
                .and("timeout: it ran for longer than resources.timeout of the policy allows");
    }

    Ends and(String sentence) {
        var all = new ArrayList<>(told);
        all.add(sentence);
        return new Ends(code, all, facts);
    }

    JsonObject toJson() {
        var json = Json.object().put("code", code).put("told", told);
        facts.members().forEach(json::put);
        return json.build();
    }

    static Ends read(JsonObject json) {
        var code = json.member("code").orElse(null) instanceof JsonNumber number ? (int) number.asLong() : FAILED;
        return new Ends(code, texts(json, "told"));
    }

    /// A member that is a list of texts; empty where it is none.
    static List<String> texts(JsonObject json, String name) {
        return json.member(name).orElse(null) instanceof JsonArray(var items)
                ? items.stream()
                        .filter(JsonString.class::isInstance)
                        .map(item -> ((JsonString) item).value())
                        .toList()
                : List.of();
    }
}
