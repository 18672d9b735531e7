package dev.cagewright.supervisor.grant;

import dev.cagewright.policy.decision.DecisionId;
import java.util.List;
import java.util.Optional;

/// Where a session's programs ask for grants. Safe for all threads.
public interface GrantDesk {
    /// Denies everything: where nothing can be granted.
    GrantDesk NONE = new GrantDesk() {
        @Override
        public GrantState ask(GrantRequest request) {
            return new GrantState(
                    DecisionId.of("none", 0),
                    request.opening(),
                    GrantState.Standing.DENIED,
                    "nothing can be granted here",
                    Optional.empty());
        }

        @Override
        public Optional<GrantState> find(DecisionId id) {
            return Optional.empty();
        }

        @Override
        public List<Grant> live() {
            return List.of();
        }
    };

    /// Asks. Waits for the log and for nobody else: where a person has to be asked, what comes back is pending.
    /// The same request once more, while it is pending or granted or after a person refused it, gets the same
    /// answer.
    GrantState ask(GrantRequest request);

    /// What became of a request of this session; the oldest are forgotten.
    Optional<GrantState> find(DecisionId id);

    /// What is granted now.
    List<Grant> live();
}
