package dev.cagewright.supervisor.grant;

import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.grant.Opening;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/// What became of a request for a grant.
///
/// @param id the decision's; `cagewright why ID` explains it
/// @param opening what was asked for
/// @param reason one sentence, safe on a terminal
/// @param until while it is pending, when silence becomes denial; when it is granted, its end
public record GrantState(DecisionId id, Opening opening, Standing standing, String reason, Optional<Instant> until) {

    /// Where it stands.
    public enum Standing {
        /// A person was asked.
        PENDING,
        GRANTED,
        DENIED,
        /// It was granted, and its time is over.
        EXPIRED,
        /// It was granted, and taken back.
        REVOKED;

        /// E.g. `pending`.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
