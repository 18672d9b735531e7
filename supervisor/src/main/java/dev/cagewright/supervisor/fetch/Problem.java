package dev.cagewright.supervisor.fetch;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.egress.here.HostAnswer;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.supervisor.journal.ActionText;
import dev.cagewright.supervisor.session.DenialReport;
import java.util.List;
import java.util.Optional;

/// A refusal of the gateway's, as its body says it.
///
/// @param kind the last word of its type, e.g. `denied`, `budget`, `upstream`
/// @param fix lines of a policy, or what else to do
public record Problem(String kind, String detail, Optional<String> decision, Optional<String> rule, List<String> fix) {
    private static final String TYPE = "urn:cagewright:problem:";

    public Problem {
        fix = List.copyOf(fix);
    }

    /// May the body behind that be one?
    public static boolean isTold(HostAnswer.Head head) {
        return head.status() >= 400
                && head.contentType().filter("application/problem+json"::equals).isPresent();
    }

    /// Empty if it is none.
    public static Optional<Problem> read(byte[] body) {
        try {
            return Json.parse(body) instanceof JsonObject json ? of(json) : Optional.empty();
        } catch (JsonSyntaxException _) {
            return Optional.empty();
        }
    }

    private static Optional<Problem> of(JsonObject json) {
        return json.text("type")
                .filter(type -> type.startsWith(TYPE))
                .map(type -> new Problem(
                        type.substring(TYPE.length()),
                        json.text("detail").orElse(""),
                        json.text("decision"),
                        json.text("rule"),
                        json.text("fix").map(text -> text.lines().toList()).orElse(List.of())));
    }

    /// The same as every denial is told.
    public DenialReport report(Action action) {
        return new DenialReport(
                decision.map(DecisionId::new),
                ActionText.of(action),
                rule.map(List::of).orElse(List.of()),
                kind,
                detail,
                Optional.empty(),
                fix);
    }

    /// Was it the policy, a budget, an inspector or a forbidden address, and not an origin that could not be had?
    public boolean isDenial() {
        return !kind.equals("upstream") && !kind.equals("failed");
    }
}
