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

    /// The same for callers that may not wait: hands over and returns, and `recorded` hears of it on a thread of the
    /// journal's. A journal that cannot do better waits.
    default void intent(DecisionId id, Action action, Decision.Verdict verdict, Recorded recorded) {
        long sequence;
        try {
            sequence = intent(id, action, verdict);
        } catch (IOException e) {
            recorded.failed(e);
            return;
        }
        recorded.durable(sequence);
    }

    /// Hears what became of an intent, once.
    interface Recorded {
        void durable(long sequence);

        /// The event may not survive a crash; the caller must not act.
        void failed(IOException why);
    }
}
