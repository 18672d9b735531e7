package dev.cagewright.supervisor.observed;

import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.audit.read.EventQuery;
import dev.cagewright.audit.read.EventReader;
import dev.cagewright.audit.read.StoredLine;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.engine.Rules;
import dev.cagewright.policy.mcp.McpRules;
import dev.cagewright.supervisor.journal.ActionJson;
import dev.cagewright.supervisor.state.SessionRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One decision of a session, as its log has it.
///
/// @param word `allow` or `deny`
/// @param rules that settled it
/// @param why one sentence; empty where the log has none
/// @param wouldAllow lines of a policy, or comments that say why there are none
public record PastDecision(
        DecisionId id, Action action, String word, List<String> rules, String why, List<String> wouldAllow) {
    /// More decisions of a session are not read; the newest are.
    static final int MOST = 100_000;

    public PastDecision {
        rules = List.copyOf(rules);
        wouldAllow = List.copyOf(wouldAllow);
    }

    /// The decisions of `session`, oldest first.
    ///
    /// @throws IOException if the log cannot be read
    public static List<PastDecision> of(SessionRecord session) throws IOException {
        var found = new ArrayList<PastDecision>();
        var query = EventQuery.ALL.ofSession(session.id().value());
        new EventReader(Path.of(session.auditLog())).newestFirst(query, stored -> {
            if (stored instanceof StoredLine.Whole(LogLine line) && found.size() < MOST) {
                add(line, found);
            }
        });
        return found.reversed();
    }

    private static void add(LogLine line, List<PastDecision> found) {
        var event = line.event();
        if (event.ruling().decision().isEmpty()) {
            return;
        }
        ActionJson.read(event.action())
                .ifPresent(action -> found.add(new PastDecision(
                        new DecisionId(event.origin().id()),
                        action,
                        event.ruling().decision(),
                        event.ruling().rules(),
                        event.detail().text("why").orElse(""),
                        lines(event.detail().member("would_allow").orElse(null)))));
    }

    private static List<String> lines(@Nullable JsonValue member) {
        if (!(member instanceof JsonArray(List<JsonValue> items))) {
            return List.of();
        }
        return items.stream()
                .filter(JsonString.class::isInstance)
                .flatMap(item -> ((JsonString) item).value().lines())
                .toList();
    }

    /// Was it let through though no rule allows it?
    boolean isObserved() {
        return word.equals("allow")
                && (rules.contains(Rules.NET_MODE.value()) || rules.contains(McpRules.LEARNING.value()));
    }

    /// Was it the arguments of a call that were refused, and not the call by its names? They are not on record.
    boolean isOfArguments() {
        return isDenied()
                && action instanceof Action.McpCall
                && rules.stream().anyMatch(rule -> rule.startsWith("mcp:") || rule.contains("].") || isOdd());
    }

    /// An argument that nobody could read as what it is said to be.
    private boolean isOdd() {
        return why.startsWith("the argument ");
    }

    boolean isDenied() {
        return word.equals("deny");
    }
}
