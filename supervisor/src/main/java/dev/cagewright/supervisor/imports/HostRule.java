package dev.cagewright.supervisor.imports;

import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.supervisor.policyfile.yaml.Node;
import java.util.List;
import java.util.Optional;

/// A host that a source allows.
///
/// @param key where the source says it
/// @param target the key and value of a rule of ours, `host` or `alias`
/// @param ports 443 and 80 where there are none
/// @param limits methods, paths and the like, as they stand in a rule
record HostRule(String key, Target target, List<Integer> ports, List<Limit> limits) {
    private static final List<Integer> USUAL = List.of(443, 80);

    /// @param word `host` or `alias`
    record Target(String word, String name) {}

    /// A further key of a rule.
    record Limit(String word, Node value) {}

    static HostRule of(String key, String host) {
        return new HostRule(key, new Target("host", host), List.of(), List.of());
    }

    HostRule at(List<Integer> changed) {
        return new HostRule(key, target, changed, limits);
    }

    HostRule with(List<Limit> changed) {
        return new HostRule(key, target, ports, changed);
    }

    /// As an entry of `net.hosts`.
    Node node() {
        var node = Node.mapping(target.word(), Node.text(target.name()));
        if (!ports.isEmpty()) {
            node = node.and("ports", Node.list(ports.stream().map(Node::whole).toList()));
        }
        for (Limit limit : limits) {
            node = node.and(limit.word(), limit.value());
        }
        return node;
    }

    /// Does it let anything through that `denied` is to stop? A denied name stands for all names below it, too.
    boolean meets(Denied denied) {
        var own = pattern();
        if (own.isEmpty()) {
            return true;
        }
        var open = ports.isEmpty() ? USUAL : ports;
        if (denied.port().isPresent() && !open.contains(denied.port().get())) {
            return false;
        }
        var name = own.get().suffix().value();
        boolean isCovered = denied.isAll() || isAtOrBelow(name, denied.name());
        return isCovered || (own.get().kind() == HostPattern.Kind.BELOW && isAtOrBelow(denied.name(), name));
    }

    private Optional<HostPattern> pattern() {
        try {
            return Optional.of(HostPattern.parse("host", target.name()));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static boolean isAtOrBelow(String name, String above) {
        return name.equals(above) || name.endsWith("." + above);
    }

    /// What a source forbids.
    ///
    /// @param name in small letters, without `*.`; `*` for everything
    record Denied(String key, String name, Optional<Integer> port) {
        boolean isAll() {
            return name.equals("*");
        }
    }
}
