package dev.cagewright.egress.upstream;

import dev.cagewright.egress.address.AddressRules;
import dev.cagewright.egress.desk.PolicyDesk;
import dev.cagewright.egress.resolve.Destination;
import dev.cagewright.egress.resolve.Destinations;
import dev.cagewright.egress.resolve.Resolver;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Upstream;
import dev.cagewright.policy.match.IpText;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/// Which addresses are dialled for a name: found once, and judged by the rules of every layer. Where there is a
/// proxy, it is dialled and finds the name, but for what the rules lead to by themselves: `addresses:`, and the
/// host's own `localhost`.
public final class Lookup {
    /// Of so many names it is remembered what their rules say.
    private static final int MOST_KNOWN = 4096;

    /// Nobody outside is asked for the name of the desk, and nothing leads there but a cage's own gateway.
    private static final CompletionStage<Destination> OWN_NAME = CompletableFuture.completedStage(
            new Destination.Unresolved(PolicyDesk.NAME + " is the gateway's own name and stands for no other host"));

    private final Destinations destinations;
    private final ConcurrentHashMap<HostName, Bounds> bounds = new ConcurrentHashMap<>();

    public Lookup(Resolver resolver) {
        this.destinations = new Destinations(resolver);
    }

    /// Where `host` leads. Blocks until somebody has answered.
    ///
    /// @param host the one that is dialled: what an alias stands for
    /// @param rules of all layers; none means public addresses only
    public Destination find(HostName host, List<HostRule> rules) {
        return later(host, rules).toCompletableFuture().join();
    }

    private CompletionStage<Destination> later(HostName host, List<HostRule> rules) {
        var bounds = bounds(host, rules);
        return bounds.settled()
                .<CompletionStage<Destination>>map(CompletableFuture::completedStage)
                .orElseGet(() -> found(host, bounds.all(), bounds.first()));
    }

    private CompletionStage<Destination> found(HostName host, List<AddressRules> all, AddressRules first) {
        return destinations
                .of(host, first)
                .thenApply(found -> found instanceof Destination.Dialable dialable ? judged(dialable, all) : found);
    }

    /// What the rules of a name say of addresses; read once, for as long as the rules are the same.
    ///
    /// @param first which addresses are looked for
    /// @param settled where it leads, if the rules alone say so
    private record Bounds(
            List<HostRule> rules, List<AddressRules> all, AddressRules first, Optional<Destination> settled) {}

    private Bounds bounds(HostName host, List<HostRule> rules) {
        var known = bounds.get(host);
        if (known == null || !known.rules().equals(rules)) {
            known = read(host, rules);
            if (bounds.size() >= MOST_KNOWN) {
                bounds.clear();
            }
            bounds.put(host, known);
        }
        return known;
    }

    private Bounds read(HostName host, List<HostRule> rules) {
        var all = rules.isEmpty()
                ? List.of(AddressRules.PUBLIC)
                : rules.stream().map(rule -> AddressRules.of(rule, host)).toList();
        var first = all.stream()
                .filter(bound -> bound.fixed().isPresent())
                .findFirst()
                .orElse(all.getFirst());
        var settled = first.fixed()
                .map(_ -> found(host, all, first).toCompletableFuture().join());
        return new Bounds(rules, all, first, settled);
    }

    /// Where `host` leads when connections are asked of `proxy`. Blocks until somebody has answered.
    ///
    /// @param host the one that is dialled: what an alias stands for
    /// @param rules of all layers; none means public addresses only
    public Destination find(HostName host, List<HostRule> rules, Optional<Upstream.Proxy> proxy) {
        return later(host, rules, proxy).toCompletableFuture().join();
    }

    /// The same for callers that may not wait.
    public CompletionStage<Destination> later(HostName host, List<HostRule> rules, Optional<Upstream.Proxy> proxy) {
        if (host.equals(PolicyDesk.NAME)) {
            return OWN_NAME;
        }
        if (proxy.isEmpty() || isLedByRules(host, rules)) {
            return later(host, rules);
        }
        if (IpText.looksNumeric(host.value()) || host.value().indexOf(':') >= 0) {
            return later(host, rules)
                    .thenCompose(judged -> judged instanceof Destination.Dialable
                            ? through(proxy.get())
                            : CompletableFuture.completedStage(judged));
        }
        return through(proxy.get());
    }

    private static boolean isLedByRules(HostName host, List<HostRule> rules) {
        return host.value().equals("localhost")
                || rules.stream().anyMatch(rule -> rule.addresses().isPresent());
    }

    private CompletionStage<Destination> through(Upstream.Proxy proxy) {
        return destinations.of(proxy.host(), AddressRules.ANYWHERE).thenApply(found -> through(proxy, found));
    }

    private static Destination through(Upstream.Proxy proxy, Destination destination) {
        return switch (destination) {
            case Destination.Dialable found -> new Destination.Dialable(found.addresses(), Optional.of(proxy));
            case Destination.Forbidden(String why) -> new Destination.Unresolved("the proxy " + proxy + ": " + why);
            case Destination.Unresolved(String why) -> new Destination.Unresolved("the proxy " + proxy + ": " + why);
        };
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
