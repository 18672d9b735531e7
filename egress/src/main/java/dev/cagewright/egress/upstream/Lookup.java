package dev.cagewright.egress.upstream;

import dev.cagewright.egress.address.AddressRules;
import dev.cagewright.egress.resolve.Destination;
import dev.cagewright.egress.resolve.Destinations;
import dev.cagewright.egress.resolve.Resolver;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.HostRule;
import java.util.List;
import java.util.Optional;

/// Which addresses are dialled for a name: found once, and judged by the rules of every layer.
public final class Lookup {
    private final Destinations destinations;

    public Lookup(Resolver resolver) {
        this.destinations = new Destinations(resolver);
    }

    /// Where `host` leads. Blocks until somebody has answered.
    ///
    /// @param host the one that is dialled: what an alias stands for
    /// @param rules of all layers; none means public addresses only
    public Destination find(HostName host, List<HostRule> rules) {
        var bounds = rules.isEmpty()
                ? List.of(AddressRules.PUBLIC)
                : rules.stream().map(rule -> AddressRules.of(rule, host)).toList();
        var first = bounds.stream()
                .filter(bound -> bound.fixed().isPresent())
                .findFirst()
                .orElse(bounds.getFirst());
        var found = destinations.of(host, first).toCompletableFuture().join();
        return found instanceof Destination.Dialable dialable ? judged(dialable, bounds) : found;
    }

    private static Destination judged(Destination.Dialable found, List<AddressRules> bounds) {
        return found.addresses().stream()
                .flatMap(address -> bounds.stream().map(bound -> bound.refusal(address)))
                .flatMap(Optional::stream)
                .findFirst()
                .<Destination>map(Destination.Forbidden::new)
                .orElse(found);
    }
}
