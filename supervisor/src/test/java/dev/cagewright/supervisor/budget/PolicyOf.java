package dev.cagewright.supervisor.budget;

import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.state.StateFolders;
import java.nio.file.Files;
import java.nio.file.Path;

/// Policies as a person writes them.
final class PolicyOf {
    private PolicyOf() {}

    static PolicyDocument text(StateFolders folders, String text) throws Exception {
        Path file = Files.createTempFile(folders.budgets(), "policy", ".yaml");
        try {
            Files.writeString(file, text);
            return PolicyFiles.of(folders).find(file.toString()).document();
        } finally {
            Files.delete(file);
        }
    }
}
