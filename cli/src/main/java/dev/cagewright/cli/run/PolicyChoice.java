package dev.cagewright.cli.run;

import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.policyfile.LoadedPolicy;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.registries.Registries;
import dev.cagewright.supervisor.session.IsolationWish;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Which policy a run is under.
final class PolicyChoice {
    private final PolicyFiles files;

    PolicyChoice(StateFolders folders) {
        this.files = PolicyFiles.of(folders);
    }

    PolicyInForce of(RunOptions options) throws IOException, PolicySyntaxException, BadPolicyException {
        return PolicyInForce.of(files.layersOver(Optional.of(own(options))), wish(options), registries(options));
    }

    /// The named one, else the person's own default, else the built-in one; never a file that just lies where
    /// the command happens to run.
    private LoadedPolicy own(RunOptions options) throws IOException, PolicySyntaxException {
        return options.policy().isPresent() ? files.find(options.policy().get()) : files.usual();
    }

    /// What lies in the workspace may have been written by a cage.
    private static Registries registries(RunOptions options) throws IOException {
        var workspace = Path.of(options.workspace().orElse(""));
        var writable = Files.isDirectory(workspace) ? List.of(workspace.toRealPath()) : List.<Path>of();
        return Registries.ofHost(CallerEnvironment.read(), writable);
    }

    private static IsolationWish wish(RunOptions options) {
        return new IsolationWish(
                options.isolation(),
                Set.of(Isolation.NAMESPACES),
                options.unsafeNoIsolation() ? IsolationWish.Consent.NO_ISOLATION : IsolationWish.Consent.CAGE_ONLY);
    }
}
