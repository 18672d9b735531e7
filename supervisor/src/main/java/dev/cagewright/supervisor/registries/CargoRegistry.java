package dev.cagewright.supervisor.registries;

import dev.cagewright.policy.engine.Registry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// cargo: `CARGO_REGISTRIES_*_INDEX` and `config.toml` of cargo's home (the Cargo book, Configuration), and, since the
/// default is compiled in, the indexes that cargo keeps in its home with the place of their packages. A project's
/// `.cargo` is not read.
final class CargoRegistry {
    private static final Pattern TABLE = Pattern.compile("\\[\\s*([^]]+?)\\s*]\\s*(?:#.*)?");
    private static final Pattern PAIR =
            Pattern.compile("([A-Za-z0-9_.\"'-]+)\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)')\\s*(?:#.*)?");
    private static final Pattern SOURCE = Pattern.compile("(?:source|registries)\\.[^.]+\\.(?:registry|index)");
    private static final Pattern REPLACED = Pattern.compile("source\\.[\"']?crates-io[\"']?\\.replace-with");
    private static final Pattern VARIABLE = Pattern.compile("CARGO_REGISTRIES_[A-Z0-9_]+_INDEX");
    private static final Pattern KEPT = Pattern.compile("([A-Za-z0-9.-]+)-[0-9a-f]{16}");
    private static final Pattern PLACE = Pattern.compile("\"dl\"\\s*:\\s*\"(https?://[^\"]+)\"");

    private final ToolFiles files;

    CargoRegistry(ToolFiles files) {
        this.files = files;
    }

    List<Registry.Host> hosts() throws UnknownRegistryException {
        var home = files.variable("CARGO_HOME")
                .map(files::at)
                .or(() -> files.home().map(folder -> folder.resolve(".cargo")))
                .orElseThrow(() -> new UnknownRegistryException("neither CARGO_HOME nor HOME is set"));
        var hosts = new ArrayList<Registry.Host>();
        for (var variable : files.variables().entrySet()) {
            if (VARIABLE.matcher(variable.getKey()).matches()) {
                RegistryUrl.host(variable.getValue(), variable.getKey()).ifPresent(hosts::add);
            }
        }
        boolean isReplaced = false;
        for (String name : List.of("config.toml", "config")) {
            isReplaced |= configured(home.resolve(name), hosts);
        }
        kept(home.resolve("registry/index"), hosts);
        if (hosts.isEmpty() && !isReplaced) {
            throw new UnknownRegistryException("no configuration of cargo in " + files.shown(home)
                    + " names a registry, it keeps no index, and its default is compiled in");
        }
        return hosts;
    }

    /// Does the file put another source in place of the default?
    private boolean configured(Path file, List<Registry.Host> hosts) throws UnknownRegistryException {
        boolean isReplaced = false;
        for (var pair : pairs(files.text(file).orElse("")).entrySet()) {
            if (SOURCE.matcher(pair.getKey()).matches()) {
                RegistryUrl.host(pair.getValue(), files.shown(file)).ifPresent(hosts::add);
            }
            isReplaced |= REPLACED.matcher(pair.getKey()).matches();
        }
        return isReplaced;
    }

    private static Map<String, String> pairs(String toml) {
        var pairs = new LinkedHashMap<String, String>();
        var table = "";
        for (String line : toml.lines().map(String::strip).toList()) {
            var header = TABLE.matcher(line);
            var pair = PAIR.matcher(line);
            if (header.matches()) {
                table = header.group(1) + ".";
            } else if (pair.matches()) {
                pairs.put(table + pair.group(1), pair.group(2) != null ? pair.group(2) : pair.group(3));
            }
        }
        return pairs;
    }

    /// Folders are named for the host of their index and a number.
    private void kept(Path folder, List<Registry.Host> hosts) throws UnknownRegistryException {
        for (Path index : files.children(folder)) {
            var name = KEPT.matcher(index.getFileName().toString());
            if (name.matches()) {
                var place = index.resolve("config.json");
                hosts.add(new Registry.Host(name.group(1), 443, files.shown(index)));
                var packages = PLACE.matcher(files.text(place).orElse(""));
                if (packages.find()) {
                    RegistryUrl.host(packages.group(1), files.shown(place)).ifPresent(hosts::add);
                }
            }
        }
    }
}
