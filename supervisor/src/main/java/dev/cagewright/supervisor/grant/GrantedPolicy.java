package dev.cagewright.supervisor.grant;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.gate.Judge;
import dev.cagewright.policy.layers.EffectivePolicy;

/// A policy with what is granted beside it: asked only where the policy knows no rule. Safe for all threads.
///
/// @param first who is asked first: the policy itself, or somebody who asks it
/// @param policy whose silence grants fill
public record GrantedPolicy(Judge first, EffectivePolicy policy, LiveGrants grants) implements Judge {
    @Override
    public Decision judge(Action action) {
        var decision = first.judge(action);
        if (!(decision instanceof Decision.Deny deny) || deny.code() != DenyCode.NO_RULE) {
            return decision;
        }
        return grants.covering(action)
                .map(grant -> policy.judge(action, grant.allow()))
                .orElse(decision);
    }
}
