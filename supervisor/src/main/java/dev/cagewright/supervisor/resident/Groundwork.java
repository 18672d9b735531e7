package dev.cagewright.supervisor.resident;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.CageName;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.quantity.PublishedPort;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.credentials.SecretWish;
import dev.cagewright.supervisor.credentials.StoredSecrets;
import dev.cagewright.supervisor.named.NamedCage;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.LoadedPolicy;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.registries.Registries;
import dev.cagewright.supervisor.scaffold.AgentHome;
import dev.cagewright.supervisor.scaffold.AgentStart;
import dev.cagewright.supervisor.scaffold.Scaffolds;
import dev.cagewright.supervisor.session.IsolationWish;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.RunRequest;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What a named cage comes to when it is asked for: its files read, its policy with all layers, its agent found.
///
/// @param home lasts as long as the cage has its name
/// @param workspace without links
record Groundwork(
        NamedCage cage, PolicyInForce policy, Optional<AgentStart> agent, AgentHome home, ByteString workspace) {
    /// The better one where it is there.
    private static final ByteString SHELL = ByteString.of(
            Stream.of("/bin/bash", "/usr/bin/bash").map(Path::of).anyMatch(Files::isExecutable) ? "bash" : "sh");

    /// Reads and settles; makes nothing.
    ///
    /// @throws NoSuchFileException if there is no such cage, or its workspace or its agent is not there
    static Groundwork of(StateFolders folders, UpOrder order, StoredSecrets secrets)
            throws IOException, PolicySyntaxException, BadPolicyException {
        var cages = NamedCages.of(folders);
        var cage = cages.find(order.name());
        var own = cages.policy(order.name());
        var workspace = workspace(cage);
        var home = cages.home(cage.name());
        var agent = agent(folders, cage, home, order.caller(), workspace);
        var addition = addition(own, agent, home, wishes(cage, order, agent, secrets), secrets);
        var ports = cage.publish().stream().map(PublishedPort::cage).distinct().toList();
        var policy = PolicyInForce.of(
                PolicyFiles.of(folders).layersOver(Optional.of(own)),
                IsolationWish.CAGE,
                Registries.ofHost(order.caller(), List.of(Path.of(workspace.toString()))),
                read -> addition.to(read).publishing(ports));
        return new Groundwork(cage, policy, agent, home, workspace);
    }

    private static ByteString workspace(NamedCage cage) throws IOException {
        try {
            return ByteString.of(cage.workspace().toRealPath().toString());
        } catch (NoSuchFileException e) {
            var gone = new NoSuchFileException("the workspace of " + cage.name() + ", " + cage.workspace()
                    + ", is not there (expected: a folder; cagewright edit " + cage.name() + " --cage names another)");
            gone.initCause(e);
            throw gone;
        }
    }

    private static Optional<AgentStart> agent(
            StateFolders folders,
            NamedCage cage,
            AgentHome home,
            Map<ByteString, ByteString> caller,
            ByteString workspace)
            throws IOException, PolicySyntaxException {
        if (cage.scaffold().isEmpty()) {
            return Optional.empty();
        }
        var scaffold = Scaffolds.of(folders).find(cage.scaffold().get());
        return Optional.of(AgentStart.of(scaffold, home, caller, workspace));
    }

    /// Those of the cage, those of the order, which count for more, and those of its agent that are stored.
    private static List<SecretWish> wishes(
            NamedCage cage, UpOrder order, Optional<AgentStart> agent, StoredSecrets secrets) throws IOException {
        var tool = Optional.of(new CageName(cage.name()));
        var wishes = new ArrayList<>(order.secrets());
        for (SecretWish wish : cage.secrets()) {
            if (!isAmong(wishes, wish.name())) {
                wishes.add(wish);
            }
        }
        for (var secret : agent.map(start -> start.scaffold().secrets()).orElse(List.of())) {
            if (!isAmong(wishes, secret.name()) && secrets.has(secret.name(), tool)) {
                wishes.add(new SecretWish(secret.name(), Optional.empty()));
            }
        }
        return wishes;
    }

    private static boolean isAmong(List<SecretWish> wishes, String name) {
        return wishes.stream().map(SecretWish::name).anyMatch(name::equals);
    }

    /// What is wished is settled once; a policy that is read again meanwhile cannot change it.
    private static PolicyInForce.Addition addition(
            LoadedPolicy own,
            Optional<AgentStart> agent,
            AgentHome home,
            List<SecretWish> wishes,
            StoredSecrets secrets)
            throws IOException {
        var names = wishes.stream().map(SecretWish::name).toList();
        var document = agent.map(start -> start.with(names, own.document())).orElse(own.document());
        var credentials = secrets.wished(wishes, document);
        return read -> {
            var lent = wishes.isEmpty() ? read : read.withCredentials(credentials);
            return agent.map(start -> start.over(lent)).orElseGet(() -> withHome(lent, home));
        };
    }

    /// A home that the policy mounts itself stays.
    private static PolicyDocument withHome(PolicyDocument document, AgentHome home) {
        boolean isTaken = document.fs().flatMap(fs -> fs.mounts()).orElse(List.of()).stream()
                .anyMatch(mount -> mount.path().equals(home.mount().path()));
        return isTaken ? document : document.with(List.of(home.mount()), Set.of());
    }

    /// The words of what runs for `argv`: the agent's own name starts it as its scaffold says, and no words at all are
    /// a shell.
    List<ByteString> words(List<ByteString> argv) {
        if (argv.isEmpty()) {
            return List.of(SHELL);
        }
        var name = agent.map(start -> ByteString.of(start.scaffold().program()));
        return name.filter(argv.getFirst()::equals).isPresent()
                ? agent.orElseThrow().command(argv.subList(1, argv.size()))
                : argv;
    }

    /// @param caller the variables of whoever asks
    RunRequest request(
            List<ByteString> words, Map<ByteString, ByteString> caller, Streams streams, RunSecrets secrets) {
        return new RunRequest(
                words,
                workspace,
                agent.map(start -> start.caller(caller)).orElse(caller),
                streams,
                secrets,
                agent.map(AgentStart::path).orElse(List.of()),
                Launch.Leftovers.LIVE_ON);
    }
}
