package dev.cagewright.supervisor.net;

import dev.cagewright.egress.Rulebook;
import dev.cagewright.egress.resolve.Resolver;
import dev.cagewright.egress.tls.Trust;
import dev.cagewright.egress.tls.Trust.Roots;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.Upstream;
import dev.cagewright.policy.engine.Registry;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.supervisor.grant.LiveGrants;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The destinations of a policy in force, and of what is granted beside it. Files that it names are read when this is
/// made. What the policy says never changes. Safe for all threads.
final class PolicyRulebook implements Rulebook {
    /// Of so many destinations it is remembered what the policy says.
    private static final int MOST_PLACES = 4096;

    private final NetTerms terms;
    private final Map<String, Roots.Own> files;
    private final Roots usual;
    private final RegistryPlaces registries;
    private final LiveGrants grants;
    private final Optional<Upstream.Proxy> proxy;
    private final ConcurrentHashMap<Asked, Place> places = new ConcurrentHashMap<>();

    private PolicyRulebook(
            NetTerms terms, Map<String, Roots.Own> files, Roots usual, RegistryPlaces registries, LiveGrants grants) {
        this.terms = terms;
        this.grants = grants;
        this.registries = registries;
        this.files = Map.copyOf(files);
        this.usual = usual;
        this.proxy = terms.policy().upstreamProxy();
    }

    /// Waits for the names of registries to be looked up.
    ///
    /// @throws ConfinementException if a file of `upstream_ca` has no certificates
    static PolicyRulebook of(NetTerms terms, Resolver resolver, LiveGrants grants) throws ConfinementException {
        var files = new HashMap<String, Roots.Own>();
        for (var layer : terms.policy().layers()) {
            var rules = layer.document().net().flatMap(NetSection::hosts).orElse(List.of());
            for (String file :
                    rules.stream().flatMap(rule -> rule.upstreamCa().stream()).toList()) {
                files.put(file, read(file));
            }
        }
        var more = terms.policy().upstreamRoots();
        return new PolicyRulebook(
                terms,
                files,
                more.isPresent() ? new Roots.MachineAnd(read(more.get())) : new Roots.Machine(),
                RegistryPlaces.lookedUp(lookedUpHere(terms.policy()), resolver),
                grants);
    }

    /// A proxy looks names up itself.
    private static List<Registry.Host> lookedUpHere(EffectivePolicy policy) {
        return policy.upstreamProxy().isPresent() ? List.of() : policy.registryHosts();
    }

    private static Roots.Own read(String file) throws ConfinementException {
        try {
            return Trust.ownOf(file);
        } catch (IOException e) {
            var refusal = new ConfinementException(
                    "net",
                    "upstream_ca: " + file,
                    String.valueOf(e.getMessage()),
                    "name a file of certificates in PEM");
            refusal.initCause(e);
            throw refusal;
        }
    }

    @Override
    public List<HostRule> rules(HostName host, int port) {
        var rules = place(host, port).rules();
        return rules.isEmpty() ? grants.places(host, port) : rules;
    }

    @Override
    public HostName upstream(HostName host) {
        return terms.policy().upstream(host);
    }

    @Override
    public Optional<Upstream.Proxy> proxy() {
        return proxy;
    }

    @Override
    public Roots roots(HostName host, int port) {
        return place(host, port).roots();
    }

    /// What is asked for with every request.
    private record Asked(HostName host, int port) {}

    private record Place(List<HostRule> rules, Roots roots) {}

    private Place place(HostName host, int port) {
        var asked = new Asked(host, port);
        var known = places.get(asked);
        if (known == null) {
            known = new Place(readRules(host, port), readRoots(host, port));
            if (places.size() >= MOST_PLACES) {
                places.clear();
            }
            places.put(asked, known);
        }
        return known;
    }

    private List<HostRule> readRules(HostName host, int port) {
        return terms.policy().hostRules(host, port).stream()
                .map(each -> registries.narrowed(host, each))
                .toList();
    }

    private Roots readRoots(HostName host, int port) {
        return terms.policy()
                .upstreamCa(host, port)
                .<Roots>map(file -> {
                    var known = files.get(file);
                    if (known == null) {
                        throw new IllegalStateException("upstream_ca: " + file + " (expected: read before)");
                    }
                    return known;
                })
                .orElse(usual);
    }

    @Override
    public List<String> remedy(DeniedException denied) {
        return terms.remedies().of(denied);
    }
}
