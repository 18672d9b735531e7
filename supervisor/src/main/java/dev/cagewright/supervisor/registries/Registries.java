package dev.cagewright.supervisor.registries;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.engine.Registry;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The package registries of this machine, by the name of their tool: `npm`, `pip`, `maven`, `cargo`, `apt`. A tool's
/// files
/// are looked at when somebody asks for the tool.
public final class Registries {
    /// Nobody looks; every registry grants nothing.
    public static final Registries NOT_ASKED = new Registries(Optional.empty());

    private static final int MOST_HOSTS = 64;

    private final Optional<ToolFiles> files;

    private Registries(Optional<ToolFiles> files) {
        this.files = files;
    }

    /// Those that the caller's tools use.
    ///
    /// @param caller the caller's variables
    /// @param writable folders that a cage may write: configuration in them is not believed
    public static Registries ofHost(Map<ByteString, ByteString> caller, List<Path> writable) {
        var variables = new HashMap<String, String>();
        caller.forEach((name, value) -> value.utf8().ifPresent(text -> variables.put(name.latin1(), text)));
        return of(new ToolFiles(Path.of("/"), variables, writable));
    }

    static Registries of(ToolFiles files) {
        return new Registries(Optional.of(files));
    }

    /// What is known of each of `tools`.
    public Map<String, Registry> of(Collection<String> tools) {
        var all = new HashMap<String, Registry>();
        files.ifPresent(machine -> tools.forEach(tool -> all.computeIfAbsent(tool, name -> registry(machine, name))));
        return all;
    }

    private static Registry registry(ToolFiles machine, String tool) {
        try {
            var found = found(machine, tool);
            var hosts = found.hosts().stream().distinct().toList();
            return hosts.size() > MOST_HOSTS
                    ? new Registry.Unknown(tool + " is configured with " + hosts.size() + " hosts (expected: at most "
                            + MOST_HOSTS + "; name them in net.hosts)")
                    : new Registry.Known(hosts, found.variables());
        } catch (UnknownRegistryException e) {
            return new Registry.Unknown(String.valueOf(e.getMessage()));
        }
    }

    private static Registry.Known found(ToolFiles machine, String tool) throws UnknownRegistryException {
        try {
            return switch (tool) {
                case "npm" -> new NpmRegistry(machine).found();
                case "pip" -> new PipRegistry(machine).found();
                case "maven" -> new Registry.Known(new MavenRegistry(machine).hosts());
                case "cargo" -> new Registry.Known(new CargoRegistry(machine).hosts());
                case "apt" -> new Registry.Known(new AptRegistry(machine).hosts());
                default ->
                    throw new UnknownRegistryException(
                            "\"" + tool + "\" is no tool that is known here: apt, cargo, maven, npm or pip");
            };
        } catch (UnknownRegistryException e) {
            throw new UnknownRegistryException(
                    e.getMessage() + " (name its hosts in net.hosts instead, with methods: [GET, HEAD])");
        }
    }
}
