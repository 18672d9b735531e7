package dev.cagewright.cli.run;

import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.quantity.PublishedPort;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.credentials.SecretWish;
import dev.cagewright.supervisor.credentials.StoredSecrets;
import dev.cagewright.supervisor.policyfile.LoadedPolicy;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.registries.Registries;
import dev.cagewright.supervisor.scaffold.AgentStart;
import dev.cagewright.supervisor.session.IsolationWish;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Which policy a run is under.
final class PolicyChoice {
    private final PolicyFiles files;
    private final StoredSecrets secrets;
    private final Optional<AgentStart> agent;

    PolicyChoice(StateFolders folders, StoredSecrets secrets, Optional<AgentStart> agent) {
        this.files = PolicyFiles.of(folders);
        this.secrets = secrets;
        this.agent = agent;
    }

    /// A policy as it holds and, for a run that learns, as it is written.
    record Chosen(PolicyInForce inForce, Optional<PolicyInForce> written) {}

    Chosen of(RunOptions options) throws IOException, PolicySyntaxException, BadPolicyException {
        var own = own(options);
        var layers = files.layersOver(Optional.of(own));
        var registries = registries(options);
        var secrets = addition(own, options);
        if (!options.learn()) {
            return new Chosen(PolicyInForce.of(layers, wish(options), registries, secrets), Optional.empty());
        }
        var observing = PolicyInForce.of(
                layers,
                wish(options),
                registries,
                document -> secrets.to(document).observing());
        return new Chosen(
                Learning.requireLetting(observing),
                Optional.of(PolicyInForce.of(layers, wish(options), registries, secrets)));
    }

    /// What is wished is settled once; a policy that is read again meanwhile cannot change it.
    private PolicyInForce.Addition addition(LoadedPolicy own, RunOptions options) throws IOException {
        var wishes = wishes(own, options);
        var names = wishes.stream().map(SecretWish::name).toList();
        var document = agent.map(start -> start.with(names, own.document())).orElse(own.document());
        var credentials = secrets.wished(wishes, document);
        var ports =
                options.publish().stream().map(PublishedPort::cage).distinct().toList();
        var sign = options.sign();
        return read -> {
            var stored = wishes.isEmpty() ? read : read.withCredentials(credentials);
            var lent = sign.map(key -> signing(key, stored)).orElse(stored).publishing(ports);
            return agent.map(start -> start.over(lent)).orElse(lent);
        };
    }

    /// The document with a key that signs, in the place of the one that it may have.
    private static PolicyDocument signing(Credential key, PolicyDocument document) {
        var all = new ArrayList<>(document.credentials().orElse(List.of()));
        all.removeIf(entry -> entry.sign().isPresent() || entry.name().equals(key.name()));
        all.add(key);
        return document.withCredentials(Optional.of(all));
    }

    /// Those of the command line, and those of an agent's scaffold that are stored.
    private List<SecretWish> wishes(LoadedPolicy own, RunOptions options) throws IOException {
        var wishes = new ArrayList<>(options.secrets());
        for (var secret : agent.map(start -> start.scaffold().secrets()).orElse(List.of())) {
            boolean isWished = wishes.stream().map(SecretWish::name).anyMatch(secret.name()::equals);
            if (!isWished && secrets.has(secret.name(), own.document().tool())) {
                wishes.add(new SecretWish(secret.name(), Optional.empty()));
            }
        }
        return wishes;
    }

    /// The named one, else the agent's, else the person's own default, else the built-in one; never a file that just
    /// lies where
    /// the command happens to run.
    private LoadedPolicy own(RunOptions options) throws IOException, PolicySyntaxException {
        if (options.policy().isPresent()) {
            return files.find(options.policy().get());
        }
        return agent.isPresent() ? agent.get().policy() : files.usual();
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
