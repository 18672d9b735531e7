package dev.cagewright.egress.underway;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;

/// An allowed request or connection from its warrant to its end.
public interface Passage {
    /// What was allowed.
    Action action();

    /// Ends it, soon, because it is allowed no longer. Does not wait; any thread may say so.
    void revoke(Decision.Deny why);
}
