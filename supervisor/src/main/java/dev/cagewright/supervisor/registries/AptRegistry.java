package dev.cagewright.supervisor.registries;

import dev.cagewright.policy.engine.Registry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// apt: `sources.list`, `sources.list.d/*.list` and `*.sources`, sources.list(5). Sources that are not of the web, such
/// as `cdrom:`, are passed over.
final class AptRegistry {
    private static final Pattern LINE = Pattern.compile("deb(?:-src)?\\s+(?:\\[[^]]*]\\s+)?(\\S+)\\s.*");
    private static final Pattern NO = Pattern.compile("no|false|without|off|disable", Pattern.CASE_INSENSITIVE);

    private final ToolFiles files;

    AptRegistry(ToolFiles files) {
        this.files = files;
    }

    List<Registry.Host> hosts() throws UnknownRegistryException {
        var hosts = new ArrayList<Registry.Host>();
        readLines(files.at("/etc/apt/sources.list"), hosts);
        for (Path file : files.children(files.at("/etc/apt/sources.list.d"))) {
            var name = file.getFileName().toString();
            if (name.endsWith(".list")) {
                readLines(file, hosts);
            } else if (name.endsWith(".sources")) {
                readStanzas(file, hosts);
            }
        }
        if (hosts.isEmpty()) {
            throw new UnknownRegistryException("apt has no source of the web in /etc/apt");
        }
        return hosts;
    }

    private void readLines(Path file, List<Registry.Host> hosts) throws UnknownRegistryException {
        for (String line : files.text(file).orElse("").lines().toList()) {
            var source = LINE.matcher(line.strip());
            if (source.matches()) {
                RegistryUrl.host(source.group(1), files.shown(file)).ifPresent(hosts::add);
            }
        }
    }

    /// deb822(5): fields of stanzas, which empty lines part; an indented line goes on.
    private void readStanzas(Path file, List<Registry.Host> hosts) throws UnknownRegistryException {
        var text = files.text(file).orElse("").replaceAll("(?m)^#.*\\R?", "").replaceAll("\\R[ \\t]+", " ");
        for (String stanza : text.split("\\R[ \\t]*\\R", -1)) {
            var uris = "";
            boolean isOn = true;
            for (String line : stanza.lines().toList()) {
                var field = line.toLowerCase(Locale.ROOT);
                if (field.startsWith("uris:")) {
                    uris = line.substring("uris:".length()).strip();
                } else if (field.startsWith("enabled:")) {
                    isOn = !NO.matcher(line.substring("enabled:".length()).strip())
                            .matches();
                }
            }
            for (String uri : isOn && !uris.isEmpty() ? List.of(uris.split("\\s+", -1)) : List.<String>of()) {
                RegistryUrl.host(uri, files.shown(file)).ifPresent(hosts::add);
            }
        }
    }
}
