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
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The destinations of a policy in force. Files that it names are read when this is made. Immutable.
final class PolicyRulebook implements Rulebook {
    private final NetTerms terms;
    private final Map<String, Roots.Own> files;
    private final Roots usual;
    private final RegistryPlaces registries;

    private PolicyRulebook(NetTerms terms, Map<String, Roots.Own> files, Roots usual, RegistryPlaces registries) {
        this.terms = terms;
        this.registries = registries;
        this.files = Map.copyOf(files);
        this.usual = usual;
    }

    /// Waits for the names of registries to be looked up.
    ///
    /// @throws ConfinementException if a file of `upstream_ca` has no certificates
    static PolicyRulebook of(NetTerms terms, Resolver resolver) throws ConfinementException {
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
                RegistryPlaces.lookedUp(lookedUpHere(terms.policy()), resolver));
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
        return terms.policy().hostRules(host, port).stream()
                .map(each -> registries.narrowed(host, each))
                .toList();
    }

    @Override
    public HostName upstream(HostName host) {
        return terms.policy().upstream(host);
    }

    @Override
    public Optional<Upstream.Proxy> proxy() {
        return terms.policy().upstreamProxy();
    }

    @Override
    public Roots roots(HostName host, int port) {
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
