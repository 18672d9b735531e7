package dev.cagewright.supervisor.session;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.DenyCode;
import java.util.List;
import java.util.Optional;

/// A denial as it is told, in the terminal, in JSON and in the log.
///
/// @param id absent for a dry run
/// @param what the action in one line
/// @param rules most specific first
/// @param code for programs
/// @param why one sentence
/// @param where the rule's place in a policy file, or what it is when it is in none
/// @param wouldAllow the narrowest changes that would allow it, or that there is none
public record DenialReport(
        Optional<DecisionId> id,
        String what,
        List<String> rules,
        String code,
        String why,
        Optional<String> where,
        List<String> wouldAllow) {
    public DenialReport {
        rules = List.copyOf(rules);
        wouldAllow = List.copyOf(wouldAllow);
    }

    /// What a run gets whose log cannot be opened; the one denial that no log has.
    public static DenialReport withoutLog(String why) {
        return new DenialReport(
                Optional.empty(),
                "any action",
                List.of("audit:unavailable"),
                DenyCode.AUDIT_UNAVAILABLE.name(),
                why,
                Optional.empty(),
                List.of("# none: mend the log, or name another with --audit"));
    }

    /// What the audit log keeps beside the ruling.
    JsonObject reasons() {
        var json = Json.object().put("code", code).put("why", why);
        where.ifPresent(place -> json.put("at", place));
        return json.put("would_allow", wouldAllow).build();
    }

    public JsonObject toJson() {
        var json = Json.object();
        id.ifPresent(name -> json.put("id", name.value()));
        json.put("decision", "deny")
                .put("what", what)
                .put("rules", rules)
                .put("code", code)
                .put("why", why);
        where.ifPresent(place -> json.put("at", place));
        return json.put("would_allow", wouldAllow).build();
    }

    /// One that [#toJson] wrote; what is missing is empty.
    public static DenialReport read(JsonObject json) {
        return new DenialReport(
                json.text("id").map(DecisionId::new),
                json.text("what").orElse(""),
                texts(json, "rules"),
                json.text("code").orElse(""),
                json.text("why").orElse(""),
                json.text("at"),
                texts(json, "would_allow"));
    }

    private static List<String> texts(JsonObject json, String name) {
        return json.member(name).orElse(null) instanceof JsonArray(var items)
                ? items.stream()
                        .filter(JsonString.class::isInstance)
                        .map(item -> ((JsonString) item).value())
                        .toList()
                : List.of();
    }
}
