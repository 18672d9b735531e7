package dev.cagewright.cli.run;

import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.credentials.StoredSecrets;
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
    private final StoredSecrets secrets;

    PolicyChoice(StateFolders folders, StoredSecrets secrets) {
        this.files = PolicyFiles.of(folders);
        this.secrets = secrets;
    }

    PolicyInForce of(RunOptions options) throws IOException, PolicySyntaxException, BadPolicyException {
        var own = own(options);
        return PolicyInForce.of(
                files.layersOver(Optional.of(own)), wish(options), registries(options), addition(own, options));
    }

    /// What is wished is settled once; a policy that is read again meanwhile cannot change it.
    private PolicyInForce.Addition addition(LoadedPolicy own, RunOptions options) throws IOException {
        var wishes = options.secrets();
        if (wishes.isEmpty()) {
            return PolicyInForce.Addition.NOTHING;
        }
        var credentials = secrets.wished(wishes, own.document());
        return document -> document.withCredentials(credentials);
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
