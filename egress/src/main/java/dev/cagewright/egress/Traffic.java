package dev.cagewright.egress;

import dev.cagewright.egress.inspect.Finding;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.grant.Granted;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// How one request or connection ended.
///
/// @param status what the cage was answered, for HTTP
/// @param sentBytes of bodies, or of the connection, towards the origin
/// @param receivedBytes the same from the origin
/// @param address where it was dialled; empty if it was not
/// @param findings what inspectors saw in it
/// @param end how it ended
public record Traffic(
        OptionalInt status,
        long sentBytes,
        long receivedBytes,
        Duration duration,
        Optional<String> address,
        List<Finding> findings,
        End end) {

    public Traffic {
        findings = List.copyOf(findings);
    }

    /// The ways to end.
    public sealed interface End {
        /// Before the reason of the policy's.
        String POLICY_CHANGED = "the policy was changed and allows it no longer: ";

        /// It was ended because a changed policy refuses it, or the session's token does, or a grant is over.
        static End revoked(Decision.Deny refused) {
            boolean isOfPolicy = refused.code() != DenyCode.TOKEN && !Granted.isAmong(refused.because());
            var cause = !isOfPolicy ? "it is allowed no longer: " : POLICY_CHANGED;
            return new Truncated(cause + refused.detail());
        }

        /// Whole.
        record Complete() implements End {}

        /// The origin could not be had.
        ///
        /// @param why one sentence
        record Unreached(String why) implements End {}

        /// A budget was used up before it was whole.
        ///
        /// @param why one sentence, which names the budget
        record Exhausted(String why) implements End {}

        /// It broke off under way.
        ///
        /// @param why one sentence
        record Truncated(String why) implements End {}

        /// An inspector ended it.
        ///
        /// @param kind of the finding
        record Stopped(String kind) implements End {}
    }
}
