package dev.cagewright.policy.gate;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;

/// Answers actions: a compiled policy, an operator's forbid list, a token. Pure and safe for all threads.
@FunctionalInterface
public interface Judge {
    Decision judge(Action action);
}
