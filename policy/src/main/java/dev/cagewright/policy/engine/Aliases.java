package dev.cagewright.policy.engine;

import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.policy.quantity.Field;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The short names of hosts: those of the document and the built-in `github`. The cage may dial an alias as
/// `NAME.internal` or its host by the host's own name; both are the same destination.
final class Aliases {
    private static final Map<String, String> BUILT_IN = Map.of("github", "api.github.com");
    private static final String INSIDE = ".internal";

    private final Map<String, HostName> hosts;
    private final List<String> named;

    private Aliases(Map<String, HostName> hosts, List<String> named) {
        this.hosts = Map.copyOf(hosts);
        this.named = List.copyOf(named);
    }

    static Aliases of(PolicyDocument document, Problems problems) {
        var all = new TreeMap<>(BUILT_IN);
        all.putAll(document.net().map(NetSection::aliases).orElse(Map.of()));
        var hosts = new TreeMap<String, HostName>();
        all.forEach((alias, host) -> {
            var field = "net.aliases." + alias;
            problems.read(field, () -> exact(field, host)).ifPresent(name -> hosts.put(alias, name));
        });
        var named = document.net().flatMap(NetSection::hosts).orElse(List.of()).stream()
                .flatMap(rule -> rule.target() instanceof HostRule.Target.Host(String text)
                        ? Optional.of(text).stream()
                        : Optional.<String>empty().stream())
                .toList();
        return new Aliases(hosts, named);
    }

    private static HostName exact(String field, String text) {
        var pattern = HostPattern.parse(field, text);
        if (pattern.kind() == HostPattern.Kind.BELOW) {
            throw Field.refusal(field, text, "one host");
        }
        return pattern.suffix();
    }

    /// The hosts that `alias` stands for.
    List<HostPattern> ofAlias(String field, String alias) {
        var host = hosts.get(alias);
        if (host == null) {
            throw Field.refusal(
                    field, alias, "an alias of net.aliases, or one of " + String.join(", ", hosts.keySet()));
        }
        return List.of(
                new HostPattern(host, HostPattern.Kind.EXACT),
                new HostPattern(new HostName(alias + INSIDE), HostPattern.Kind.EXACT));
    }

    /// The hosts that `text` means, which is an alias or a host pattern. A word without a dot has to be known.
    List<HostPattern> of(String field, String text) {
        if (hosts.containsKey(text)) {
            return ofAlias(field, text);
        }
        if (text.indexOf('.') < 0 && text.indexOf(':') < 0 && !named.contains(text)) {
            throw Field.refusal(field, text, "an alias, a host of net.hosts, or a full host name");
        }
        return List.of(HostPattern.parse(field, text));
    }

    /// The host that is dialled for `host`: itself, or what the alias `NAME` of `NAME.internal` stands for.
    HostName upstream(HostName host) {
        var name = host.value();
        if (!name.endsWith(INSIDE)) {
            return host;
        }
        return hosts.getOrDefault(name.substring(0, name.length() - INSIDE.length()), host);
    }
}
