package dev.cagewright.mcp.tools;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.supervisor.session.DenialReport;
import java.util.List;
import java.util.Optional;

/// What a call comes to, whatever it comes to.
///
/// @param text for the model
/// @param structured as the tool's output schema has it; empty where the tool did not do its work
/// @param decision goes into `_meta`: id, rules, and what would allow it
public record ToolAnswer(Kind kind, String text, Optional<JsonObject> structured, JsonObject decision) {
    /// The member of `_meta` that holds the decision.
    public static final String DECISION = "dev.cagewright/decision";

    /// The member of the decision that says what a command would end with, docs/exit-codes.md.
    public static final String EXIT = "exit";

    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final int NO_CAGE = 125;

    /// Did the tool do its work?
    public enum Kind {
        DONE,
        FAILED
    }

    static ToolAnswer done(String text, JsonObject structured, JsonObject decision) {
        return new ToolAnswer(Kind.DONE, text, Optional.of(structured), decision);
    }

    static ToolAnswer failed(String text, Optional<JsonObject> structured, JsonObject decision) {
        return new ToolAnswer(Kind.FAILED, text, structured, decision);
    }

    /// The call itself is wrong; nothing was decided.
    static ToolAnswer misunderstood(String why) {
        return failed("the call is not understood, and nothing was done: " + why, Optional.empty(), exit(USAGE));
    }

    static ToolAnswer noCage(String why, String remedy) {
        return failed("there is no cage to do it in: " + why + "; " + remedy, Optional.empty(), exit(NO_CAGE));
    }

    /// The product could not do its work.
    static ToolAnswer broken(String why) {
        return failed("it could not be done: " + why, Optional.empty(), exit(NO_CAGE));
    }

    private static JsonObject exit(int code) {
        return Json.object().put(EXIT, code).build();
    }

    static ToolAnswer denied(DenialReport report) {
        var text = new StringBuilder("denied: ")
                .append(report.what())
                .append("\nwhy: ")
                .append(report.why());
        text.append("\nrule: ").append(report.where().orElse(String.join(", ", report.rules())));
        if (!report.wouldAllow().isEmpty()) {
            text.append("\nwhat would allow it, if the person wants that:");
            report.wouldAllow().forEach(line -> text.append("\n  ").append(line));
        }
        text.append("\nNothing was done. Another spelling of the same meets the same rule: go on without it, or ask the"
                + " person.");
        report.id()
                .ifPresent(id -> text.append("\ndecision ")
                        .append(id)
                        .append(" (cagewright why ")
                        .append(id)
                        .append(')'));
        var json = Json.object();
        report.toJson().members().forEach(json::put);
        return failed(
                text.toString(),
                Optional.empty(),
                json.put("fix", report.wouldAllow())
                        .put(EXIT, code(report.code()))
                        .build());
    }

    private static int code(String code) {
        for (DenyCode known : DenyCode.values()) {
            if (known.name().equals(code)) {
                return switch (known) {
                    case NOT_APPROVED -> 3;
                    case NO_RULE -> 4;
                    case SHELL, FORBIDDEN, ISOLATION_UNAVAILABLE, TOKEN, BUDGET, AUDIT_UNAVAILABLE, RULE_FAILED -> 5;
                };
            }
        }
        return 5;
    }

    /// The decision that allowed it.
    static JsonObject allowed(Warrant warrant, int exit) {
        return allowed(warrant.id(), warrant.allowed(), exit);
    }

    private static JsonObject allowed(DecisionId id, Decision.Allow allow, int exit) {
        return Json.object()
                .put("id", id.value())
                .put("decision", "allow")
                .put("rules", allow.because().stream().map(RuleId::value).toList())
                .put(EXIT, exit)
                .build();
    }

    /// The one of which only the name is known.
    static JsonObject allowed(Optional<DecisionId> id, int exit) {
        var json = Json.object();
        id.ifPresent(known -> json.put("id", known.value()).put("decision", "allow"));
        return json.put(EXIT, exit).build();
    }

    /// A refusal by the kernel or an origin of what the policy allowed.
    static ToolAnswer refused(String text, Warrant warrant) {
        return failed(text + "\ndecision " + warrant.id(), Optional.empty(), allowed(warrant, FAILED));
    }

    /// What a command would end with, docs/exit-codes.md.
    public int exit() {
        return decision.member(EXIT).orElse(null) instanceof JsonNumber number ? (int) number.asLong() : FAILED;
    }

    /// The `result` of `tools/call`.
    public JsonObject json() {
        var block = Json.object().put("type", "text").put("text", text).build();
        var json = Json.object().put("content", new JsonArray(List.of(block)));
        structured.ifPresent(value -> json.put("structuredContent", value));
        return json.put("isError", kind == Kind.FAILED)
                .put("_meta", Json.object().put(DECISION, decision).build())
                .build();
    }
}
