package dev.cagewright.policy.gate;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;

/// The person, or whoever speaks for one.
@FunctionalInterface
public interface Approvals {
    /// Nobody ever agrees.
    Approvals NOBODY = (_, _, _, _) -> Answer.NO_ANSWER;

    /// What came back within the question's patience.
    enum Answer {
        AGREED,
        REFUSED,
        /// Silence, an interrupt or a broken channel.
        NO_ANSWER
    }

    /// Asks and waits, at most for the question's patience.
    ///
    /// @param shown the exact object that an agreement covers, once
    Answer ask(DecisionId id, Action action, Decision.Ask question, Exhibit.Shown shown);
}
