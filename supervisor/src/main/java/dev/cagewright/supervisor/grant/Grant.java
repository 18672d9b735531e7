package dev.cagewright.supervisor.grant;

import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.grant.Granted;
import dev.cagewright.policy.grant.Opening;
import java.time.Instant;
import java.util.List;

/// A temporary addition to a policy while a cage runs.
///
/// @param what is granted
/// @param until its end by the clock of the wall; whoever holds it counts by another clock, too
public record Grant(Granted what, Instant until) {
    /// @param addresses as [Granted] has them
    public Grant(DecisionId id, Opening opening, List<List<String>> addresses, Instant until) {
        this(new Granted(id, opening, addresses), until);
    }

    /// The decision that gave it.
    public DecisionId id() {
        return what.id();
    }

    public Opening opening() {
        return what.opening();
    }

    public List<List<String>> addresses() {
        return what.addresses();
    }

    /// Where its host is, as rules of a policy say it.
    public List<HostRule> places() {
        return what.places();
    }

    /// What is allowed under it is allowed because of it.
    public Decision.Allow allow() {
        return what.allow();
    }
}
