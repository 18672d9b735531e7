package dev.cagewright.policy.gate;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import java.io.IOException;

/// Where intents become durable before anything happens.
public interface Journal {
    /// Names the next decision; never the same twice.
    DecisionId nextId();

    /// Appends what was decided and returns its sequence number once the bytes are on the disk.
    ///
    /// @throws IOException if the event may not survive a crash; the caller must not act
    long intent(DecisionId id, Action action, Decision.Verdict verdict) throws IOException;
}
