package dev.cagewright.policy.engine;

import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.document.Isolation;
import java.util.List;
import java.util.Set;

/// Whether an isolation is as strong as the policy asks: never weaker, whatever else is on offer.
public final class IsolationCheck {
    private static final Decision.Verdict ENOUGH = new Decision.Allow(Rules.MIN_ISOLATION);

    private IsolationCheck() {}

    /// Judges one isolation that a host can give.
    public static Decision.Verdict judge(Isolation required, Isolation offered) {
        return offered.isAtLeast(required) ? ENOUGH : denial(required, offered.word() + " is weaker");
    }

    /// Judges what a host can give; the weakest that is strong enough would do.
    ///
    /// @param offered may be empty
    public static Decision.Verdict judge(Isolation required, Set<Isolation> offered) {
        if (offered.stream().anyMatch(isolation -> isolation.isAtLeast(required))) {
            return ENOUGH;
        }
        var words = offered.stream().sorted().map(Isolation::word).toList();
        return denial(required, "this host offers " + (words.isEmpty() ? "none" : String.join(", ", words)));
    }

    private static Decision.Verdict denial(Isolation required, String reason) {
        return new Decision.Deny(
                List.of(Rules.ISOLATION_UNAVAILABLE, Rules.MIN_ISOLATION),
                DenyCode.ISOLATION_UNAVAILABLE,
                "the policy asks for " + required.word() + " isolation or stronger, and " + reason);
    }
}
