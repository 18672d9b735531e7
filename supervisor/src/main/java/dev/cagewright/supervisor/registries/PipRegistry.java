package dev.cagewright.supervisor.registries;

import dev.cagewright.policy.engine.Registry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// pip: `PIP_INDEX_URL`, `PIP_EXTRA_INDEX_URL`, `PIP_FIND_LINKS` and the global and the user's pip.conf (pip's
/// configuration guide), and the default in pip's own source. A virtual environment's file is not read.
final class PipRegistry {
    private static final String INDEX = "index-url";
    private static final List<String> KEYS = List.of(INDEX, "extra-index-url", "find-links");

    /// `PyPI = PackageIndex("https://.../", file_storage_domain="...")` of pip/_internal/models/index.py.
    private static final Pattern DEFAULT = Pattern.compile(
            "PyPI\\s*=\\s*PackageIndex\\(\\s*[\"'](https?://[^\"']+)[\"'](?:\\s*,\\s*file_storage_domain\\s*=\\s*[\"']([A-Za-z0-9.-]+)[\"'])?");

    private static final Pattern INTERPRETER = Pattern.compile("^#!\\s*(/\\S*python[0-9.]*)");
    private static final Path SOURCE = Path.of("pip/_internal/models/index.py");

    private final ToolFiles files;

    PipRegistry(ToolFiles files) {
        this.files = files;
    }

    private record Named(String value, String from) {}

    Registry.Known found() throws UnknownRegistryException {
        var named = new LinkedHashMap<String, Named>();
        for (Path file : configuration()) {
            read(file, named);
        }
        for (String key : KEYS) {
            var name = variable(key);
            files.variable(name).ifPresent(value -> named.put(key, new Named(value, name)));
        }
        var hosts = new ArrayList<Registry.Host>();
        var variables = new TreeMap<String, String>();
        for (var one : named.entrySet()) {
            addHosts(one.getValue(), hosts);
            if (!ToolFiles.isSeenInCages(one.getValue().from())) {
                variables.put(
                        variable(one.getKey()), RegistryUrl.bare(one.getValue().value()));
            }
        }
        if (!named.containsKey(INDEX)) {
            hosts.addAll(0, byDefault());
        }
        return new Registry.Known(hosts, variables);
    }

    private static String variable(String key) {
        return "PIP_" + key.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /// A list of addresses and, for `find-links`, folders of the host.
    private static void addHosts(Named named, List<Registry.Host> hosts) throws UnknownRegistryException {
        for (String word : named.value().strip().split("\\s+", -1)) {
            if (!word.isEmpty() && !word.startsWith("/") && !word.startsWith(".") && !word.startsWith("~")) {
                RegistryUrl.host(word, named.from()).ifPresent(hosts::add);
            }
        }
    }

    /// Those for everybody first; what comes later is heard. `PIP_CONFIG_FILE` names one more, or none of them.
    private List<Path> configuration() {
        var named = files.variable("PIP_CONFIG_FILE");
        if (named.isPresent() && named.get().equals("/dev/null")) {
            return List.of();
        }
        var all = new ArrayList<Path>();
        for (String folder :
                files.variable("XDG_CONFIG_DIRS").orElse("/etc/xdg").split(":", -1)) {
            all.add(files.at(folder).resolve("pip/pip.conf"));
        }
        all.add(files.at("/etc/pip.conf"));
        files.home().ifPresent(home -> all.add(home.resolve(".pip/pip.conf")));
        files.variable("XDG_CONFIG_HOME")
                .map(files::at)
                .or(() -> files.home().map(home -> home.resolve(".config")))
                .ifPresent(folder -> all.add(folder.resolve("pip/pip.conf")));
        named.map(files::at).ifPresent(all::add);
        return all;
    }

    /// `[install]` is heard before `[global]` of the same file.
    private void read(Path file, Map<String, Named> named) throws UnknownRegistryException {
        var text = files.text(file);
        if (text.isEmpty()) {
            return;
        }
        for (String section : List.of("global", "install")) {
            for (var pair : IniText.of(text.get()).pairs()) {
                var key = pair.key().replace('_', '-');
                if (pair.section().equals(section) && KEYS.contains(key)) {
                    named.put(key, new Named(pair.value(), files.shown(file)));
                }
            }
        }
    }

    private List<Registry.Host> byDefault() throws UnknownRegistryException {
        for (Path source : sources()) {
            var text = files.text(source);
            var found = DEFAULT.matcher(text.orElse(""));
            if (found.find()) {
                var from = "pip's default, " + files.shown(source);
                var hosts = new ArrayList<Registry.Host>();
                RegistryUrl.host(found.group(1), from).ifPresent(hosts::add);
                Optional.ofNullable(found.group(2)).ifPresent(name -> hosts.add(new Registry.Host(name, 443, from)));
                return hosts;
            }
        }
        throw new UnknownRegistryException("no pip.conf names an index, and no pip with a default was found on PATH");
    }

    /// Where the packages of the Python that a `pip` on the path starts may be.
    private List<Path> sources() throws UnknownRegistryException {
        var all = new ArrayList<Path>();
        for (String name : List.of("pip", "pip3")) {
            for (Path program : files.programs(name)) {
                prefix(program).ifPresent(prefix -> addSources(prefix, all));
            }
        }
        return all;
    }

    private Optional<Path> prefix(Path program) throws UnknownRegistryException {
        var interpreter = INTERPRETER.matcher(files.text(program).orElse(""));
        return interpreter.find()
                ? Optional.of(files.at(interpreter.group(1)))
                        .map(Path::getParent)
                        .map(Path::getParent)
                : Optional.empty();
    }

    private void addSources(Path prefix, List<Path> all) {
        for (String lib : List.of("lib", "local/lib")) {
            for (Path version : files.children(prefix.resolve(lib))) {
                var name = version.getFileName().toString();
                if (name.startsWith("python3")) {
                    all.add(version.resolve("site-packages").resolve(SOURCE));
                    all.add(version.resolve("dist-packages").resolve(SOURCE));
                }
            }
        }
    }
}
