package dev.cagewright.supervisor.scaffold;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.mcpconfig.ServerNotice;
import dev.cagewright.supervisor.policyfile.LoadedPolicy;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An agent that is started by the name of its scaffold: its program, its home, and what they add to the policy.
public record AgentStart(Scaffold scaffold, Installation installation, AgentHome home, ByteString workspace) {
    /// The agent that `word` names, in its home for `workspace`.
    ///
    /// @param word the first word of what is to run
    /// @param caller the variables of whoever asks
    /// @throws NoSuchFileException if the agent is not on this machine
    public static AgentStart of(
            StateFolders folders, String word, Map<ByteString, ByteString> caller, ByteString workspace)
            throws IOException, PolicySyntaxException {
        var scaffold = Scaffolds.of(folders).find(word);
        return of(scaffold, AgentHome.of(folders, scaffold, workspace), caller, workspace);
    }

    /// The same in a home that the caller names.
    ///
    /// @throws NoSuchFileException if the agent is not on this machine
    public static AgentStart of(
            Scaffold scaffold, AgentHome home, Map<ByteString, ByteString> caller, ByteString workspace)
            throws IOException {
        var installation = Installation.of(scaffold.program(), caller)
                .orElseThrow(() -> new NoSuchFileException(scaffold.name() + ": there is no program \""
                        + scaffold.program() + "\" on your PATH (expected: "
                        + (scaffold.install().isEmpty() ? "it installed" : scaffold.install()) + ")"));
        return new AgentStart(scaffold, installation, home, workspace);
    }

    /// The scaffold's policy.
    public LoadedPolicy policy() {
        return scaffold.policy();
    }

    /// The document with the agent's packages, home and variables. A home that the policy mounts itself stays.
    public PolicyDocument over(PolicyDocument document) {
        var mounts = new ArrayList<Mount>();
        var taken = document.fs().flatMap(fs -> fs.mounts()).orElse(List.of()).stream()
                .map(Mount::path)
                .toList();
        mounts.addAll(installation.mounts());
        mounts.add(home.mount());
        mounts.removeIf(mount -> taken.contains(mount.path()));
        return document.with(mounts, scaffold.environment().keySet());
    }

    /// The scaffold's secrets of these names, and those that the document has.
    public PolicyDocument with(List<String> names, PolicyDocument document) {
        var all = new ArrayList<>(document.credentials().orElse(List.of()));
        scaffold.secrets().stream()
                .filter(secret -> names.contains(secret.name()))
                .filter(secret -> all.stream().map(Credential::name).noneMatch(secret.name()::equals))
                .forEach(all::add);
        return all.isEmpty() ? document : document.withCredentials(Optional.of(all));
    }

    /// What runs.
    ///
    /// @param rest the words after the scaffold's name
    public List<ByteString> command(List<ByteString> rest) {
        var words = new ArrayList<ByteString>();
        words.add(ByteString.of(installation.program().toString()));
        scaffold.arguments().stream().map(ByteString::of).forEach(words::add);
        words.addAll(rest);
        return words;
    }

    /// The caller's variables with the scaffold's.
    public Map<ByteString, ByteString> caller(Map<ByteString, ByteString> caller) {
        var all = new HashMap<>(caller);
        var template = new Template(workspace.utf8().orElse(workspace.printable()), Map.of());
        scaffold.environment()
                .forEach((name, value) -> all.put(ByteString.of(name), ByteString.of(template.plain(value))));
        return all;
    }

    /// Folders of programs that come before those of every cage.
    public List<Path> path() {
        return installation.path();
    }

    /// Makes the agent's home where it is absent, and puts its files there.
    ///
    /// @return what a person should hear of it, a sentence each; before the first run the scaffold's hints, too
    public List<String> seed(StateFolders folders, RunSecrets secrets) throws IOException {
        folders.makeHome(home.folder());
        home.remember(folders, workspace);
        var told = new ArrayList<>(home.isNew() ? hints(secrets) : List.of());
        told.addAll(home.seed(
                scaffold.home(), new Template(workspace.utf8().orElse(workspace.printable()), secrets.decoys())));
        workspace.utf8().map(Path::of).map(ServerNotice::of).ifPresent(told::addAll);
        return told;
    }

    private List<String> hints(RunSecrets secrets) {
        var hints = new ArrayList<>(scaffold.hints());
        if (!scaffold.secrets().isEmpty() && secrets.isEmpty()) {
            hints.add(
                    "no key is lent to it: -s " + scaffold.secrets().getFirst().name()
                            + " asks for one and keeps it outside of the cage; without one it asks you to log in");
        }
        return hints;
    }
}
