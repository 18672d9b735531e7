package dev.cagewright.supervisor.registries;

import dev.cagewright.policy.engine.Registry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// npm: `npm_config_registry`, the user's, the global and the built-in npmrc, and the default in npm's own source
/// (npmrc(5)). The registries of scopes (`@acme:registry`) count too; a project's npmrc is not read.
final class NpmRegistry {
    private static final String REGISTRY = "registry";
    private static final String VARIABLE = "npm_config_";
    private static final Pattern EXPANSION = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)(\\??)}");

    /// `registry: new Definition('registry', { default: 'https://...'` of npm 7 and later, `registry: 'https://...'` of
    /// 6.
    private static final Pattern DEFAULT =
            Pattern.compile("\\bregistry['\"]?\\s*[:,][^}]{0,120}?['\"](https?://[^'\"\\s]+)['\"]");

    private static final List<String> SOURCES = List.of(
            "node_modules/@npmcli/config/lib/definitions/definitions.js",
            "lib/utils/config/definitions.js",
            "lib/config/defaults.js");

    private final ToolFiles files;

    NpmRegistry(ToolFiles files) {
        this.files = files;
    }

    Registry.Known found() throws UnknownRegistryException {
        var named = new LinkedHashMap<String, Named>();
        variables(named);
        for (Path file : configuration(named)) {
            read(file, named);
        }
        var hosts = new ArrayList<Registry.Host>();
        var variables = new TreeMap<String, String>();
        if (!named.containsKey(REGISTRY)) {
            hosts.add(byDefault());
        }
        for (var one : named.values()) {
            if (one.key().equals(REGISTRY) || one.key().endsWith(":" + REGISTRY)) {
                RegistryUrl.host(one.value(), one.from()).ifPresent(hosts::add);
                if (!ToolFiles.isSeenInCages(one.from())) {
                    variables.put(VARIABLE + one.key(), RegistryUrl.bare(one.value()));
                }
            }
        }
        return new Registry.Known(hosts, variables);
    }

    private record Named(String key, String value, String from) {}

    private void variables(Map<String, Named> named) throws UnknownRegistryException {
        for (var variable : files.variables().entrySet()) {
            var name = variable.getKey();
            if (name.toLowerCase(Locale.ROOT).startsWith(VARIABLE)
                    && !variable.getValue().isEmpty()) {
                var key = name.substring(VARIABLE.length())
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-');
                put(named, new Named(key, variable.getValue(), name));
            }
        }
    }

    /// The user's file, then the global and the built-in one: the first that has a key is heard.
    private List<Path> configuration(Map<String, Named> named) throws UnknownRegistryException {
        var user = path(named, "userconfig").or(() -> files.home().map(home -> home.resolve(".npmrc")));
        if (user.isPresent()) {
            read(user.get(), named);
        }
        var all = new ArrayList<Path>();
        path(named, "globalconfig")
                .or(() -> prefix(named).map(prefix -> prefix.resolve("etc/npmrc")))
                .ifPresent(all::add);
        all.add(files.at("/etc/npmrc"));
        home().map(home -> home.resolve("npmrc")).ifPresent(all::add);
        return all;
    }

    private Optional<Path> path(Map<String, Named> named, String key) {
        return Optional.ofNullable(named.get(key)).map(one -> files.at(one.value()));
    }

    private Optional<Path> prefix(Map<String, Named> named) {
        return path(named, "prefix")
                .or(() -> files.programs("node").stream()
                        .findFirst()
                        .map(Path::getParent)
                        .map(Path::getParent));
    }

    /// Where npm itself is.
    private Optional<Path> home() {
        return files.programs("npm").stream()
                .map(Path::getParent)
                .filter(Objects::nonNull)
                .map(Path::getParent)
                .filter(home -> home != null && home.endsWith("npm"))
                .findFirst();
    }

    private void read(Path file, Map<String, Named> named) throws UnknownRegistryException {
        var text = files.text(file);
        if (text.isEmpty()) {
            return;
        }
        for (var pair : IniText.of(text.get()).pairs()) {
            if (pair.section().isEmpty() && isWanted(pair.key())) {
                put(named, new Named(pair.key(), expanded(pair.value(), file), files.shown(file)));
            }
        }
    }

    private static boolean isWanted(String key) {
        return key.equals(REGISTRY)
                || key.endsWith(":" + REGISTRY)
                || key.equals("prefix")
                || key.equals("globalconfig");
    }

    private static void put(Map<String, Named> named, Named one) {
        named.putIfAbsent(one.key(), one);
    }

    private String expanded(String value, Path file) throws UnknownRegistryException {
        var expansion = EXPANSION.matcher(value);
        var out = new StringBuilder();
        while (expansion.find()) {
            var known = files.variable(expansion.group(1));
            if (known.isEmpty() && expansion.group(2).isEmpty()) {
                throw new UnknownRegistryException(
                        files.shown(file) + " names the variable " + expansion.group(1) + ", which is not set");
            }
            expansion.appendReplacement(out, Matcher.quoteReplacement(known.orElse("")));
        }
        return expansion.appendTail(out).toString();
    }

    private Registry.Host byDefault() throws UnknownRegistryException {
        var home = home();
        if (home.isEmpty()) {
            throw new UnknownRegistryException("npm is not on PATH and no npmrc names a registry");
        }
        for (String source : SOURCES) {
            var file = home.get().resolve(source);
            var text = files.text(file);
            var found = DEFAULT.matcher(text.orElse(""));
            if (found.find()) {
                return RegistryUrl.host(found.group(1), "npm's default, " + files.shown(file))
                        .orElseThrow();
            }
        }
        throw new UnknownRegistryException("no npmrc names a registry, and the default of the npm in "
                + files.shown(home.get()) + " was not found");
    }
}
