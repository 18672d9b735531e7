package dev.cagewright.policy.gate;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;

/// An action was refused; carries the refusal as a value. The message is for people.
public final class DeniedException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient DecisionId id;
    private final transient Action action;
    private final transient Decision.Deny denial;

    DeniedException(DecisionId id, Action action, Decision.Deny denial) {
        super(denial.code() + ": " + denial.detail() + " (rule "
                + denial.because().getFirst() + ")");
        this.id = id;
        this.action = action;
        this.denial = denial;
    }

    public DecisionId id() {
        return id;
    }

    public Action action() {
        return action;
    }

    public Decision.Deny denial() {
        return denial;
    }
}
