package dev.cagewright.supervisor.net;

import dev.cagewright.egress.address.AddressRange;
import dev.cagewright.egress.address.AddressRules;
import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.address.Neighbours;
import dev.cagewright.egress.resolve.Resolver;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.engine.Registry;
import dev.cagewright.policy.layers.EffectivePolicy.LayeredRule;
import dev.cagewright.policy.match.IpText;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Where the names of this machine's package registries led when a run began. Those that led to no public address may
/// lead there, and nowhere else, for the rest of the run. Immutable.
final class RegistryPlaces {
    /// Of all look-ups together; a name that nobody has answered for by then has public addresses only.
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Map<HostName, List<String>> reserved;

    private RegistryPlaces(Map<HostName, List<String>> reserved) {
        this.reserved = Map.copyOf(reserved);
    }

    /// Looks all of `hosts` up, at once; waits.
    static RegistryPlaces lookedUp(Collection<Registry.Host> hosts, Resolver resolver) {
        var asked = new HashMap<HostName, CompletableFuture<List<IpAddress>>>();
        for (Registry.Host host : hosts) {
            name(host).ifPresent(name -> asked.computeIfAbsent(name, one -> answer(resolver, one)));
        }
        CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                .join();
        var reserved = new HashMap<HostName, List<String>>();
        asked.forEach((name, answer) -> {
            if (answer.join().stream().anyMatch(RegistryPlaces::isReserved)) {
                reserved.put(name, ranges(answer.join()));
            }
        });
        return new RegistryPlaces(reserved);
    }

    /// What is an address, or the machine itself, needs nobody to be asked.
    private static Optional<HostName> name(Registry.Host host) {
        boolean isItself =
                host.name().equals("localhost") || host.name().indexOf(':') >= 0 || IpText.looksNumeric(host.name());
        return isItself ? Optional.empty() : Optional.of(new HostName(host.name()));
    }

    private static CompletableFuture<List<IpAddress>> answer(Resolver resolver, HostName name) {
        return resolver.resolve(name)
                .toCompletableFuture()
                .thenApply(List::copyOf)
                .completeOnTimeout(List.of(), PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(_ -> List.of());
    }

    private static boolean isReserved(IpAddress address) {
        return AddressRules.PUBLIC.refusal(address).isPresent();
    }

    private static List<String> ranges(List<IpAddress> addresses) {
        return addresses.stream()
                .flatMap(address -> Neighbours.of(address).stream())
                .map(AddressRange::toString)
                .distinct()
                .toList();
    }

    /// The rule as it holds in this run.
    HostRule narrowed(HostName host, LayeredRule layered) {
        var places = reserved.get(host);
        return places != null && layered.named().isOfRegistry() ? layered.rule().at(places) : layered.rule();
    }
}
