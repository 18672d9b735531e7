package dev.cagewright.supervisor.registries;

import dev.cagewright.policy.engine.Registry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

/// maven: the mirrors and repositories of the user's and the installation's `settings.xml`, and the central repository
/// of maven's own super POM unless a mirror stands for it (Maven's settings reference). A project's POM is not read.
final class MavenRegistry {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{env\\.([A-Za-z_][A-Za-z0-9_]*)}");
    private static final String SUPER_POM = "org/apache/maven/model/pom-4.0.0.xml";
    /// The address of mirrors that only block.
    private static final String NOWHERE = "0.0.0.0";

    private static final int MAX_POM = 64 * 1024;

    private final ToolFiles files;

    MavenRegistry(ToolFiles files) {
        this.files = files;
    }

    List<Registry.Host> hosts() throws UnknownRegistryException {
        var hosts = new ArrayList<Registry.Host>();
        boolean isCentralMirrored = false;
        for (Path file : settings()) {
            var text = files.text(file);
            if (text.isPresent()) {
                var found = SettingsXml.read(text.get(), files.shown(file));
                isCentralMirrored |= found.isCentralMirrored();
                for (String url : found.urls()) {
                    RegistryUrl.host(expanded(url, file), files.shown(file))
                            .filter(host -> !host.name().equals(NOWHERE))
                            .ifPresent(hosts::add);
                }
            }
        }
        if (!isCentralMirrored) {
            hosts.addAll(0, central());
        }
        return hosts;
    }

    private Set<Path> settings() {
        var all = new LinkedHashSet<Path>();
        files.home().ifPresent(home -> all.add(home.resolve(".m2/settings.xml")));
        installation().ifPresent(home -> all.add(home.resolve("conf/settings.xml")));
        return all;
    }

    private Optional<Path> installation() {
        return files.programs("mvn").stream()
                .map(Path::getParent)
                .filter(Objects::nonNull)
                .map(Path::getParent)
                .filter(home -> home != null)
                .findFirst();
    }

    private String expanded(String url, Path file) throws UnknownRegistryException {
        var variable = VARIABLE.matcher(url);
        var out = new StringBuilder();
        while (variable.find()) {
            var name = variable.group(1);
            var value = files.variable(name)
                    .orElseThrow(() -> new UnknownRegistryException(
                            files.shown(file) + " names the variable " + name + ", which is not set"));
            variable.appendReplacement(out, Matcher.quoteReplacement(value));
        }
        return variable.appendTail(out).toString();
    }

    private List<Registry.Host> central() throws UnknownRegistryException {
        var home = installation()
                .orElseThrow(() ->
                        new UnknownRegistryException("mvn is not on PATH and no settings.xml has a mirror for all"));
        for (Path jar : files.children(home.resolve("lib"))) {
            if (jar.getFileName().toString().startsWith("maven-model-builder")) {
                var from = "maven's default, " + files.shown(jar);
                var hosts = new ArrayList<Registry.Host>();
                for (String url : SettingsXml.read(superPom(jar), from).urls()) {
                    RegistryUrl.host(url, from).ifPresent(hosts::add);
                }
                return hosts;
            }
        }
        throw new UnknownRegistryException(
                "no settings.xml has a mirror for all, and the super POM was not found in " + files.shown(home));
    }

    private String superPom(Path jar) throws UnknownRegistryException {
        try (var zip = new ZipFile(jar.toFile())) {
            var entry = zip.getEntry(SUPER_POM);
            if (entry == null) {
                throw new UnknownRegistryException(files.shown(jar) + " has no super POM");
            }
            try (InputStream in = zip.getInputStream(entry)) {
                return new String(in.readNBytes(MAX_POM), StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            throw new UnknownRegistryException(files.shown(jar) + " cannot be read: " + e.getMessage());
        }
    }
}
