package dev.cagewright.cli.policy;

import dev.cagewright.supervisor.session.PolicyInForce;
import picocli.CommandLine.Option;

/// Which phase of a run a question is about.
final class PhaseOption {
    @Option(names = "--setup", description = "During phases.setup, with its network.")
    private boolean isSetup;

    /// What is in force then.
    PolicyInForce of(PolicyInForce policy) {
        return isSetup
                ? policy.setup()
                        .orElseThrow(() -> new IllegalArgumentException("--setup: the policy has no phases.setup"))
                        .policy()
                : policy;
    }
}
