package dev.cagewright.egress;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.gate.Charge;
import java.util.Optional;

/// How much of the network a cage may use. Safe for all threads.
@FunctionalInterface
public interface Budgets {
    /// Nothing is bounded.
    Budgets UNLIMITED = _ -> Allowance.UNLIMITED;

    /// What one request or connection draws on; nothing is counted yet.
    Allowance of(Action action);

    /// The bounds of one request or connection. As a [Charge] it counts the request, and may wait for the disk;
    /// bytes are counted before they pass and do not wait.
    interface Allowance extends Charge {
        Allowance UNLIMITED = new Allowance() {
            @Override
            public Optional<Decision.Deny> reserve(DecisionId id) {
                return Optional.empty();
            }

            @Override
            public Optional<Decision.Deny> take(Way way, long bytes) {
                return Optional.empty();
            }
        };

        /// Counts bytes that are about to pass, all of them or none.
        ///
        /// @param bytes at least 0
        /// @return empty if they may pass; otherwise what is used up
        Optional<Decision.Deny> take(Way way, long bytes);
    }

    /// Which way bytes go.
    enum Way {
        /// Towards the origin.
        SENT,
        /// From the origin.
        RECEIVED
    }
}
