package dev.cagewright.policy.grant;

import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.document.HostRule;
import java.util.ArrayList;
import java.util.List;

/// What a temporary addition to a policy says; whoever gives it counts its time.
///
/// @param id the decision that gave it
/// @param opening what it is about
/// @param addresses lists of those that may be dialled for its host, as in policies: an address has to be on each; an
///     empty list, or none, means public ones
public record Granted(DecisionId id, Opening opening, List<List<String>> addresses) {
    private static final String RULE = "grant:";

    public Granted {
        addresses = addresses.stream().allMatch(List::isEmpty)
                ? List.of()
                : addresses.stream().map(List::copyOf).toList();
    }

    /// The rule that an action is allowed by under it.
    public RuleId rule() {
        return new RuleId(RULE + id);
    }

    /// Where its host is, as rules of a policy say it.
    public List<HostRule> places() {
        var host = HostRule.ofHost(opening.host().value());
        return addresses.stream()
                .map(only -> only.isEmpty() ? host : host.at(only))
                .toList();
    }

    /// What is allowed under it is allowed because of it.
    public Decision.Allow allow() {
        return new Decision.Allow(rule());
    }

    /// What a refusal means for what a grant had allowed: the grant is over.
    public static Decision.Deny over(Decision.Allow allowed, Decision.Deny refused) {
        var because = new ArrayList<>(allowed.because());
        because.addAll(refused.because());
        return new Decision.Deny(because, refused.code(), "its grant is over: " + refused.detail());
    }

    /// Is one of these rules a grant's, so that no secret may go with what they allow?
    public static boolean isAmong(List<RuleId> because) {
        return because.stream().anyMatch(rule -> rule.value().startsWith(RULE));
    }
}
