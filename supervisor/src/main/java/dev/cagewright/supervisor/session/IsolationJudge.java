package dev.cagewright.supervisor.session;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.engine.IsolationCheck;
import dev.cagewright.policy.engine.Rules;
import dev.cagewright.policy.gate.Judge;

/// Lets programs start only as far from the host as the policy and the caller ask, or farther; never nearer.
/// Giving isolation up is possible for what `namespaces` would do, and named in the decision.
final class IsolationJudge implements Judge {
    private final Decision.Verdict verdict;

    /// @param required by the policy
    IsolationJudge(Isolation required, IsolationWish wish) {
        this.verdict = verdict(required, wish);
    }

    private static Decision.Verdict verdict(Isolation required, IsolationWish wish) {
        var needed = wish.asked().filter(asked -> asked.isAtLeast(required)).orElse(required);
        return switch (wish.consent()) {
            case CAGE_ONLY -> IsolationCheck.judge(needed, wish.offered());
            case NO_ISOLATION ->
                Isolation.NAMESPACES.isAtLeast(needed)
                        ? new Decision.Allow(Rules.UNISOLATED)
                        : new Decision.Deny(
                                Rules.ISOLATION_UNAVAILABLE,
                                DenyCode.ISOLATION_UNAVAILABLE,
                                "isolation " + needed.word() + " cannot be given up (expected: at most namespaces)");
        };
    }

    @Override
    public Decision judge(Action action) {
        return action instanceof Action.ProcExec ? verdict : new Decision.Allow(Rules.SILENT);
    }
}
