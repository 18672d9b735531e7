package dev.cagewright.supervisor.observed;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.Judge;
import dev.cagewright.supervisor.journal.ActionText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// What a policy would have said to what a session did: the decisions that it turns around. Nothing is done again.
///
/// @param looked how many decisions were judged anew
/// @param flips those that come out otherwise, each kind once
public record Replay(int looked, List<Flip> flips) {
    public Replay {
        flips = List.copyOf(flips);
    }

    /// A decision that turns around.
    ///
    /// @param id of the first decision like it
    /// @param count how many decisions are like it
    /// @param before and `after`: `allow`, `deny` or `ask`
    public record Flip(DecisionId id, int count, String what, Verdict before, Verdict after) {
        /// As `--json` prints it.
        public JsonObject toJson() {
            return Json.object()
                    .put("id", id.value())
                    .put("count", count)
                    .put("what", what)
                    .put("before", before.word())
                    .put("before_rules", before.rules())
                    .put("after", after.word())
                    .put("after_rules", after.rules())
                    .build();
        }
    }

    /// An answer with the rules that settled it.
    public record Verdict(String word, List<String> rules) {}

    private record Kind(String what, Verdict before, Verdict after) {}

    /// Judges `decisions` anew.
    public static Replay of(List<PastDecision> decisions, Judge policy) {
        var flips = new LinkedHashMap<Kind, List<DecisionId>>();
        for (PastDecision past : decisions) {
            var after = verdict(policy.judge(past.action()));
            if (!isSame(past, after) && !(past.isOfArguments() && !after.word().equals("deny"))) {
                var before = new Verdict(past.word(), past.rules());
                flips.computeIfAbsent(new Kind(ActionText.of(past.action()), before, after), _ -> new ArrayList<>())
                        .add(past.id());
            }
        }
        return new Replay(
                decisions.size(),
                flips.entrySet().stream()
                        .map(each -> new Flip(
                                each.getValue().getFirst(),
                                each.getValue().size(),
                                each.getKey().what(),
                                each.getKey().before(),
                                each.getKey().after()))
                        .toList());
    }

    /// A question by the rule that asked then is the same answer, whatever the person said.
    private static boolean isSame(PastDecision past, Verdict after) {
        return after.word().equals(past.word())
                || (after.word().equals("ask") && after.rules().equals(past.rules()));
    }

    private static Verdict verdict(Decision decision) {
        var word = switch (decision) {
            case Decision.Allow _ -> "allow";
            case Decision.Deny _ -> "deny";
            case Decision.Ask _ -> "ask";
        };
        return new Verdict(word, decision.because().stream().map(RuleId::value).toList());
    }
}
