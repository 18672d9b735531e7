package dev.cagewright.policy.engine;

import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Mode;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.grant.GrantBounds;
import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.policy.match.IpText;
import dev.cagewright.policy.match.NetEntry;
import dev.cagewright.policy.match.PathPattern;
import dev.cagewright.policy.quantity.Field;
import dev.cagewright.policy.quantity.TimeSpan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Turns the network rules of a document into entries of the tables, collecting what is wrong with them.
final class Entries {
    private static final Set<Integer> WEB = Set.of(80, 443);
    private static final Duration USUAL_GRANT = Duration.ofHours(1);

    private final PolicyDocument document;
    private final Terms terms;
    private final Aliases aliases;
    private final Problems problems;

    Entries(PolicyDocument document, Terms terms, Aliases aliases, Problems problems) {
        this.document = document;
        this.terms = terms;
        this.aliases = aliases;
        this.problems = problems;
    }

    /// Do unlisted hosts pass? Only when the mode says so too; a document that asks for it alone is wrong.
    boolean isObserving() {
        var mode = terms.mode().or(document::mode).orElse(Mode.ENFORCE);
        if (mode == Mode.OBSERVE) {
            return true;
        }
        if (terms.mode().isEmpty()) {
            problems.add("net.mode", "net.mode: \"observe\" (expected: none or allowlist, or mode: observe beside it)");
        }
        return false;
    }

    List<NetRules.Entry> ofHosts(List<HostRule> rules) {
        var all = new ArrayList<NetRules.Entry>();
        for (int i = 0; i < rules.size(); i++) {
            all.add(ofHost("net.hosts", i, rules.get(i)));
        }
        return all;
    }

    private NetRules.Entry ofHost(String list, int index, HostRule rule) {
        var id = Rules.at(list, index);
        var field = id.value();
        var entry = new NetEntry(
                Optional.of(hosts(field, rule.target())),
                rule.methods().map(methods -> methods(field + ".methods", methods)),
                rule.paths().map(paths -> paths(field + ".paths", paths)),
                Optional.of(ports(field, rule)));
        requireSense(field, rule);
        rule.addresses().ifPresent(addresses -> requireAddresses(field + ".addresses", addresses));
        return new NetRules.Entry(id, rule, entry);
    }

    List<HostPattern> hosts(String field, HostRule.Target target) {
        return switch (target) {
            case HostRule.Target.Host(String text) ->
                problems.read(field + ".host", () -> reachable(field + ".host", text)).stream()
                        .toList();
            case HostRule.Target.Alias(String name) ->
                problems.read(field + ".alias", () -> aliases.ofAlias(field + ".alias", name))
                        .orElse(List.of());
        };
    }

    private static HostPattern reachable(String field, String text) {
        var pattern = HostPattern.parse(field, text);
        if (ForbiddenHosts.denialOrNull(pattern.suffix()) != null) {
            throw Field.refusal(
                    field, text, "a host that a policy can allow; metadata and link-local ones are never reachable");
        }
        return pattern;
    }

    Set<String> methods(String field, List<String> names) {
        var good = new HashSet<String>();
        for (int i = 0; i < names.size(); i++) {
            var name = names.get(i);
            var here = field + "[" + i + "]";
            problems.read(here, () -> method(here, name)).ifPresent(good::add);
        }
        return good;
    }

    private static String method(String field, String text) {
        if (!text.matches("[A-Za-z][A-Za-z-]{0,31}")) {
            throw Field.refusal(field, text, "an HTTP method such as GET; leave methods out for all");
        }
        return text;
    }

    List<PathPattern> paths(String field, List<String> texts) {
        var good = new ArrayList<PathPattern>();
        for (int i = 0; i < texts.size(); i++) {
            var here = field + "[" + i + "]";
            var text = texts.get(i);
            problems.read(here, () -> PathPattern.parse(here, text)).ifPresent(good::add);
        }
        return good;
    }

    private void requirePorts(String field, Optional<List<Integer>> ports) {
        for (int port : ports.orElse(List.of())) {
            if (port < 1 || port > 65_535) {
                problems.add(field + ".ports", field + ".ports: \"" + port + "\" (expected: 1 to 65535)");
            }
        }
    }

    private Set<Integer> ports(String field, HostRule rule) {
        requirePorts(field, rule.ports());
        if (rule.ports().isEmpty() && rule.protocol() == HostRule.Protocol.TCP) {
            problems.add(field, field + ".port: absent (expected: a port, for protocol tcp has none of its own)");
        }
        return rule.ports().<Set<Integer>>map(Set::copyOf).orElse(WEB);
    }

    private void requireSense(String field, HostRule rule) {
        boolean isOpened = rule.protocol() == HostRule.Protocol.HTTP && rule.inspection() == HostRule.Inspection.OPENED;
        if (!isOpened && (rule.methods().isPresent() || rule.paths().isPresent())) {
            problems.add(
                    field,
                    field
                            + ": methods or paths of traffic that is not opened (expected: protocol http and no inspect: false, or neither methods nor paths)");
        }
    }

    private void requireAddresses(String field, List<String> addresses) {
        for (int i = 0; i < addresses.size(); i++) {
            var here = field + "[" + i + "]";
            var text = addresses.get(i);
            problems.read(here, () -> address(here, text));
        }
    }

    private static HostPattern address(String field, String text) {
        int slash = text.indexOf('/');
        var address = slash < 0 ? text : text.substring(0, slash);
        boolean hasGoodPrefix = slash < 0 || text.substring(slash + 1).matches("[0-9]|[1-9][0-9]|1[01][0-9]|12[0-8]");
        if (!hasGoodPrefix || !IpText.isCanonical(address)) {
            throw Field.refusal(field, text, "an IPv4 or IPv6 address, or one with a prefix length such as 10.0.0.0/8");
        }
        return reachable(field, address);
    }

    /// Registries are read from, never written to. One that nobody looked for on this machine grants nothing.
    List<NetRules.Entry> ofRegistries(List<String> registries) {
        var all = new ArrayList<NetRules.Entry>();
        for (int i = 0; i < registries.size(); i++) {
            var id = Rules.at("net.registries", i);
            switch (terms.registries().get(registries.get(i))) {
                case Registry.Known(var hosts, var _) ->
                    hosts.forEach(host -> ofRegistry(id, host).ifPresent(all::add));
                case Registry.Unknown(String why) -> problems.add(id.value(), id + ": " + why);
                case null -> all.add(ofNothing(id, registries.get(i)));
            }
        }
        return all;
    }

    private Optional<NetRules.Entry> ofRegistry(RuleId id, Registry.Host host) {
        var pattern = problems.read(id.value(), () -> reachable(id.value(), host.name()));
        return pattern.map(only -> new NetRules.Entry(
                id,
                RegistryRule.of(host),
                new NetEntry(
                        Optional.of(List.of(only)),
                        Optional.of(RegistryRule.METHODS),
                        Optional.empty(),
                        Optional.of(Set.of(host.port())))));
    }

    private static NetRules.Entry ofNothing(RuleId id, String tool) {
        var nowhere = new NetEntry(
                Optional.of(List.of()), Optional.of(RegistryRule.METHODS), Optional.empty(), Optional.of(WEB));
        return new NetRules.Entry(id, HostRule.ofHost(tool), nowhere);
    }

    /// What may be granted by itself.
    GrantBounds bounds(List<NetSection.MayGrant> all) {
        var good = new ArrayList<GrantBounds.Bound>();
        for (int i = 0; i < all.size(); i++) {
            good.add(bound(Rules.at("net.may_grant", i), all.get(i)));
        }
        return new GrantBounds(good);
    }

    private GrantBounds.Bound bound(RuleId id, NetSection.MayGrant entry) {
        var field = id.value();
        entry.addresses().ifPresent(addresses -> requireAddresses(field + ".addresses", addresses));
        requirePorts(field, entry.ports());
        return new GrantBounds.Bound(
                id,
                grantable(field + ".hosts", entry.hosts()),
                entry.methods()
                        .map(methods -> methods(field + ".methods", methods).stream()
                                .map(method -> method.toUpperCase(Locale.ROOT))
                                .collect(Collectors.toSet())),
                entry.paths().map(paths -> paths(field + ".paths", paths)),
                entry.ports().<Set<Integer>>map(Set::copyOf).orElse(WEB),
                entry.addresses().orElse(List.of()),
                entry.time().map(TimeSpan::value).orElse(USUAL_GRANT));
    }

    private List<HostPattern> grantable(String field, List<String> texts) {
        var patterns = named(field, texts);
        patterns.stream()
                .filter(pattern -> ForbiddenHosts.denialOrNull(pattern.suffix()) != null)
                .forEach(
                        pattern -> problems.add(
                                field,
                                field + ": \"" + pattern
                                        + "\" (expected: hosts that a policy can allow; metadata and link-local ones are never reachable)"));
        return patterns;
    }

    /// The hosts of a list of aliases and patterns.
    List<HostPattern> named(String field, List<String> texts) {
        var all = new ArrayList<HostPattern>();
        for (int i = 0; i < texts.size(); i++) {
            var here = field + "[" + i + "]";
            var text = texts.get(i);
            problems.read(here, () -> aliases.of(here, text)).ifPresent(all::addAll);
        }
        return all;
    }

    /// Is the network a matter of this document?
    static boolean speaksOf(Optional<NetSection> net) {
        return net.isPresent()
                && (net.get().hosts().isPresent()
                        || net.get().registries().isPresent()
                        || net.get().reach() != NetSection.Reach.ALLOWLIST);
    }
}
