package dev.cagewright.supervisor.mcpconfig;

import dev.cagewright.policy.match.HostPattern;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// The policy that a server begins with: the workspace to read, no network but the hosts that are asked for, the
/// variables that its file sets.
///
/// @param hosts that each of them may reach
/// @param registries whether programs that fetch packages may reach their registry
public record StartingPolicy(List<String> hosts, Registries registries) {
    /// Programs that fetch what they run, and the registry that they ask.
    private static final Map<String, String> FETCHERS = Map.of(
            "npx", "npm", "npm", "npm", "pnpm", "npm", "yarn", "npm", "bunx", "npm", "uvx", "pip", "pipx", "pip", "uv",
            "pip");

    /// Whether registries are reachable.
    public enum Registries {
        NONE,
        /// Of the tool that is started.
        OWN
    }

    /// @throws IllegalArgumentException if a host is none
    public StartingPolicy {
        hosts = List.copyOf(hosts);
        hosts.forEach(host -> HostPattern.parse("--allow", host));
    }

    /// The registry that a program needs to fetch what it runs, if it does.
    public static Optional<String> registryOf(Server.Program program) {
        var name = program.command().substring(program.command().lastIndexOf('/') + 1);
        return Optional.ofNullable(FETCHERS.get(name));
    }

    String text(String name, Server.Program program) {
        var text = new StringBuilder("# What the MCP server of that name may do; give it what it needs and no more.\n");
        text.append("tool: ").append(name).append("\nfs:\n  mounts:\n");
        text.append("    - {path: /workspace, mode: ro}     # rw if it is to write there\n");
        var registry = registries == Registries.OWN ? registryOf(program) : Optional.<String>empty();
        if (hosts.isEmpty() && registry.isEmpty()) {
            text.append("net: {mode: none}                    # or hosts: [{host: api.example.com}]\n");
        } else {
            text.append("net:\n");
            registry.ifPresent(
                    tool -> text.append("  registries: [").append(tool).append("]\n"));
            if (!hosts.isEmpty()) {
                text.append("  hosts:\n");
                hosts.forEach(
                        host -> text.append("    - {host: \"").append(host).append("\"}\n"));
            }
        }
        var variables = accepted(program);
        if (!variables.isEmpty()) {
            text.append("exec:\n  env: [").append(String.join(", ", variables)).append("]\n");
        }
        text.append(
                "mcp:\n  tools: [\"*\"]                         # every tool it has; name those that are needed instead\n");
        return text.append("resources: {memory: 1GiB, processes: 128, timeout: 12h}\n")
                .toString();
    }

    /// The host alone, by the path that its address has.
    String text(String name, Server.Remote remote) {
        var text = new StringBuilder(
                "# What the MCP server of that name may be asked; give it what it needs and no more.\n");
        text.append("tool: ").append(name).append('\n');
        var entries = new ArrayList<String>();
        address(remote).ifPresent(entries::add);
        hosts.forEach(host -> entries.add("{host: \"" + host + "\"}"));
        if (entries.isEmpty()) {
            text.append("net: {mode: none}                    # its host: hosts: [{host: mcp.example.com}]\n");
        } else {
            text.append("net:\n  hosts:\n");
            entries.forEach(entry -> text.append("    - ").append(entry).append('\n'));
        }
        return text.append("mcp:\n  tools: [\"*\"]                         # every tool it has; name those that are"
                        + " needed instead\n")
                .toString();
    }

    private static Optional<String> address(Server.Remote remote) {
        try {
            var url = new URI(remote.url());
            if (url.getHost() == null || !url.getHost().matches("[A-Za-z0-9.\\[\\]:_-]+")) {
                return Optional.empty();
            }
            var host = url.getHost().replaceAll("^\\[|]$", "");
            int usual = "http".equalsIgnoreCase(url.getScheme()) ? 80 : 443;
            var path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
            var entry = "{host: \"" + host + "\", port: " + (url.getPort() < 0 ? usual : url.getPort())
                    + ", methods: [POST, GET, DELETE]";
            return Optional.of(entry + (path.matches("[A-Za-z0-9._~/-]+") ? ", paths: [\"" + path + "\"]}" : "}"));
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
    }

    /// Those that a policy may name; the others are kept out of every cage.
    private static List<String> accepted(Server.Program program) {
        var names = new TreeSet<String>();
        for (String name : program.variables()) {
            if (name.matches("[A-Za-z_][A-Za-z0-9_]{0,127}") && VariableCheck.isAccepted(name)) {
                names.add(name);
            }
        }
        return List.copyOf(names);
    }
}
