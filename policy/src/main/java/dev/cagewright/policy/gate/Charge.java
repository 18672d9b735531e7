package dev.cagewright.policy.gate;

import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import java.util.Optional;

/// What one act costs of a bounded amount. The [Gate] asks once the verdict is yes and before the intent is
/// written, so what is refused costs nothing and what is let through has been counted.
@FunctionalInterface
public interface Charge {
    /// An act that costs nothing.
    Charge NOTHING = _ -> Optional.empty();

    /// Counts the act, or says why there is nothing left for it, which counts nothing. May block.
    Optional<Decision.Deny> reserve(DecisionId id);
}
