package dev.cagewright.supervisor.mcpconfig;

import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;

/// Which names of variables a policy may list.
final class VariableCheck {
    private VariableCheck() {}

    static boolean isAccepted(String name) {
        try {
            var _ = PolicyFiles.read("policy", "exec: {env: [\"" + name + "\"]}");
            return true;
        } catch (PolicySyntaxException _) {
            return false;
        }
    }
}
