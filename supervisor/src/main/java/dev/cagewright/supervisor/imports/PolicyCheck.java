package dev.cagewright.supervisor.imports;

import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.CompiledPolicy;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import java.util.Optional;

/// Asks the product's own reader and compiler.
final class PolicyCheck {
    private PolicyCheck() {}

    /// Why `policy` would not be taken; empty if it would.
    static Optional<String> refusal(String policy) {
        try {
            var _ = CompiledPolicy.compile(PolicyFiles.read("policy", policy));
            return Optional.empty();
        } catch (PolicySyntaxException e) {
            var first = e.problems().getFirst();
            return Optional.of(first.message() + (first.hint().isEmpty() ? "" : " (" + first.hint() + ")"));
        } catch (BadPolicyException e) {
            return Optional.of(e.problems().getFirst().toString());
        }
    }
}
