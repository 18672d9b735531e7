package dev.cagewright.egress.resolve;

import dev.cagewright.egress.address.AddressRules;
import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.match.IpText;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/// Finds the addresses for the host of one connection and judges them all. Where a rule names single addresses those
/// are
/// taken and nobody is asked; an address is itself. Safe for all threads.
public final class Destinations {
    private final Resolver resolver;

    public Destinations(Resolver resolver) {
        this.resolver = resolver;
    }

    /// Where a connection to `host` leads under `rules`. Does not block; never fails, as each failure is an answer.
    ///
    /// @param host the one that is dialled: an alias is resolved before
    public CompletionStage<Destination> of(HostName host, AddressRules rules) {
        var literal = IpAddress.parse(host.value());
        if (literal.isPresent()) {
            return CompletableFuture.completedStage(judged(List.of(literal.get()), rules));
        }
        if (IpText.looksNumeric(host.value()) || host.value().indexOf(':') >= 0) {
            return CompletableFuture.completedStage(
                    new Destination.Forbidden(host + ": a spelling of an address that programs read differently"));
        }
        var fixed = rules.fixed();
        if (fixed.isPresent()) {
            return CompletableFuture.completedStage(judged(fixed.get(), rules));
        }
        return resolver.resolve(host)
                .thenApply(addresses -> judged(addresses, rules))
                .exceptionally(failure -> new Destination.Unresolved(reason(host, failure)));
    }

    private static Destination judged(List<IpAddress> addresses, AddressRules rules) {
        if (addresses.isEmpty()) {
            return new Destination.Unresolved("no address");
        }
        return addresses.stream()
                .map(rules::refusal)
                .flatMap(Optional::stream)
                .findFirst()
                .<Destination>map(Destination.Forbidden::new)
                .orElseGet(() -> Destination.Dialable.direct(addresses));
    }

    private static String reason(HostName host, Throwable failure) {
        var cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof UnresolvedException ? String.valueOf(cause.getMessage()) : host + ": " + cause;
    }
}
