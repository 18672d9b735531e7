package dev.cagewright.cli.run;

import dev.cagewright.policy.document.Isolation;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;

/// Which policy a run is under.
final class PolicyChoice {
    private final PolicyFiles files;

    PolicyChoice(StateFolders folders) {
        this.files = PolicyFiles.of(folders);
    }

    PolicyInForce of(RunOptions options) throws IOException, PolicySyntaxException {
        return PolicyInForce.of(
                files.find(options.policy().orElseThrow()), options.isolation().orElse(Isolation.NAMESPACES));
    }
}
