package dev.cagewright.supervisor.grant;

import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.grant.Opening;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.layers.Granting;
import dev.cagewright.policy.layers.Granting.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Who can give what, by the policy of a session's start and by what its files say since: both have to agree. Safe for
/// all threads.
final class GrantRules {
    private static final Answer.Never NOTHING = new Answer.Never(
            new Decision.Deny(new RuleId("grant:none"), DenyCode.NO_RULE, "nothing is granted during the set-up"));

    private final Optional<EffectivePolicy> policy;

    /// Null until a file of the policy was changed.
    private volatile @Nullable EffectivePolicy later;

    /// @param policy of the start; absent where nothing is granted
    GrantRules(Optional<EffectivePolicy> policy) {
        this.policy = policy;
    }

    void became(EffectivePolicy changed) {
        later = changed;
    }

    /// Who can give it to a program that asks?
    Answer of(Opening opening) {
        return both(granting -> granting.of(opening));
    }

    /// May a person give it who was not asked?
    Answer ofPerson(Opening opening) {
        return both(granting -> granting.ofPerson(opening));
    }

    /// Would a rule give it now, too?
    boolean isStillByRule(Opening opening) {
        var changed = later;
        if (changed == null) {
            return true;
        }
        var granting = changed.granting();
        return granting.byRule(opening).isPresent() || granting.of(opening) instanceof Answer.Needless;
    }

    /// How long an answer is awaited.
    Duration patience() {
        var changed = later;
        return Stream.concat(policy.stream(), Stream.ofNullable(changed))
                .map(EffectivePolicy::patience)
                .min(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    private Answer both(Function<Granting, Answer> asked) {
        if (policy.isEmpty()) {
            return NOTHING;
        }
        var first = asked.apply(policy.get().granting());
        var changed = later;
        if (changed == null || first instanceof Answer.Never) {
            return first;
        }
        return stricter(first, asked.apply(changed.granting()));
    }

    /// What was allowed at the start and is not any more needs no grant, and a grant would not help.
    private static Answer stricter(Answer first, Answer second) {
        return switch (second) {
            case Answer.Needless _ -> first;
            case Answer.Never never -> never;
            case Answer.ByRule(var _, var longest, var addresses) ->
                switch (first) {
                    case Answer.ByRule(var rules, var time, var places) ->
                        new Answer.ByRule(rules, shorter(time, longest), joined(places, addresses));
                    case Answer.ByPerson person -> person;
                    case Answer.Never _, Answer.Needless _ -> first;
                };
            case Answer.ByPerson(var longest, var addresses) ->
                switch (first) {
                    case Answer.ByRule(var _, var time, var places) ->
                        new Answer.ByPerson(
                                Optional.of(longest.map(other -> shorter(time, other))
                                        .orElse(time)),
                                joined(places, addresses));
                    case Answer.ByPerson(var time, var places) ->
                        new Answer.ByPerson(
                                Stream.concat(time.stream(), longest.stream()).min(Duration::compareTo),
                                joined(places, addresses));
                    case Answer.Never _, Answer.Needless _ -> second;
                };
        };
    }

    static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static List<List<String>> joined(List<List<String>> some, List<List<String>> others) {
        return Stream.concat(some.stream(), others.stream()).distinct().toList();
    }
}
