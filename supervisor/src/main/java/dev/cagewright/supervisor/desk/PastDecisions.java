package dev.cagewright.supervisor.desk;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.grant.Opening;
import dev.cagewright.supervisor.grant.GrantDesk;
import dev.cagewright.supervisor.journal.ActionJson;
import dev.cagewright.supervisor.journal.AuditJournal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// What was decided in this session, as its cage is told: what was asked, how it was answered and by which rule, and
/// what would change it. Where the rule stands on the host is not told.
final class PastDecisions {
    private final Recall recall;
    private final GrantDesk grants;
    private final AuditJournal journal;
    private final SessionDesk.Asking asking;

    PastDecisions(Recall recall, GrantDesk grants, AuditJournal journal, SessionDesk.Asking asking) {
        this.recall = recall;
        this.grants = grants;
        this.journal = journal;
        this.asking = asking;
    }

    /// A decision about an action, or about a request for a grant.
    Optional<JsonObject> find(DecisionId id) {
        return recall.find(id).map(this::told).or(() -> grants.find(id).map(GrantJson::of));
    }

    private JsonObject told(Recall.Past past) {
        var verdict = past.verdict();
        var json = Json.object()
                .put("id", past.id().value())
                .put("outcome", verdict instanceof Decision.Deny ? "denied" : "allowed")
                .put("what", past.what());
        past.action().ifPresent(action -> json.put("action", ActionJson.of(action)));
        json.put("rules", verdict.because().stream().map(RuleId::value).toList());
        if (verdict instanceof Decision.Deny deny) {
            json.put("code", deny.code().name()).put("why", deny.detail());
            past.action().ifPresent(action -> remedies(json, action, deny));
        }
        return json.put("more", "cagewright why " + past.id() + ", outside of the cage")
                .build();
    }

    private void remedies(JsonObject.Builder json, Action action, Decision.Deny deny) {
        var fix = wouldAllow(action, deny);
        if (!fix.isEmpty()) {
            json.put("fix", fix);
        }
        if (asking == SessionDesk.Asking.POSSIBLE && deny.code() == DenyCode.NO_RULE) {
            request(action).ifPresent(body -> json.put("ask_with", body));
        }
    }

    private String wouldAllow(Action action, Decision.Deny deny) {
        return journal.reasons(action, deny).member("would_allow").orElse(null) instanceof JsonArray(var lines)
                ? lines.stream()
                        .map(line -> line instanceof JsonString(String text) ? text : line.write())
                        .collect(Collectors.joining("\n"))
                : "";
    }

    /// The body of a request for exactly this; empty where nothing of the kind can be granted.
    private static Optional<JsonObject> request(Action action) {
        if (!(action instanceof Action.HttpRequest(var method, var host, int port, var path))) {
            return Optional.empty();
        }
        try {
            var opening = Opening.parse(host.value(), List.of(port), List.of(method), List.of(path));
            var json = Json.object();
            GrantJson.opening(json, opening);
            return Optional.of(json.put("why", "what it is needed for, in a sentence")
                    .put("for", "15m")
                    .build());
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
