package dev.cagewright.policy.engine;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.match.NetEntry;
import dev.cagewright.policy.match.NetTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The network rules of one document, compiled. Every answer exists before the first question.
final class NetRules {
    private static final Decision UNLISTED =
            new Decision.Deny(Rules.DEFAULT, DenyCode.NO_RULE, "no rule of net.hosts names this host");
    private static final Decision CLOSED =
            new Decision.Deny(Rules.NET_MODE, DenyCode.FORBIDDEN, "net.mode is none: the cage has no network");
    private static final Decision SILENT = new Decision.Allow(Rules.SILENT);
    private static final Decision OBSERVED = new Decision.Allow(Rules.NET_MODE);

    /// @param id the rule's name
    /// @param rule what it says
    /// @param entry the same, for the tables
    record Entry(RuleId id, HostRule rule, NetEntry entry) {
        /// Did a person write it, and no tool's configuration?
        boolean isWritten() {
            return id.value().startsWith("net.hosts[");
        }
    }

    private final List<Entry> entries;
    private final NetTable requests;
    private final NetTable connections;
    private final Decision[] allow;
    private final Decision[] nearMiss;
    private final @Nullable Decision always;
    private final Decision unlisted;

    private NetRules(List<Entry> entries, @Nullable Decision always, Decision unlisted) {
        this.entries = List.copyOf(entries);
        this.requests = NetTable.of(entries.stream().map(NetRules::forRequests).toList());
        this.connections = NetTable.of(entries.stream().map(Entry::entry).toList());
        this.allow =
                entries.stream().map(entry -> new Decision.Allow(entry.id())).toArray(Decision[]::new);
        this.nearMiss = entries.stream().map(NetRules::nearMiss).toArray(Decision[]::new);
        this.always = always;
        this.unlisted = unlisted;
    }

    private static NetEntry forRequests(Entry entry) {
        var all = entry.entry();
        return entry.rule().protocol() == HostRule.Protocol.HTTP
                ? all
                : new NetEntry(all.hosts(), Optional.of(Set.of()), all.paths(), all.ports());
    }

    private static Decision nearMiss(Entry entry) {
        return new Decision.Deny(
                List.of(entry.id(), Rules.DEFAULT),
                DenyCode.NO_RULE,
                entry.id() + " names this host, but not this method, path, port or protocol");
    }

    static NetRules of(Optional<NetSection> section, Terms terms, Entries entries) {
        if (section.isEmpty()) {
            return new NetRules(List.of(), terms.silence() == Terms.Silence.ABSTAINS ? SILENT : null, UNLISTED);
        }
        var net = section.get();
        return switch (net.reach()) {
            case NONE -> new NetRules(List.of(), CLOSED, CLOSED);
            case ALLOWLIST -> listed(net, terms, entries, UNLISTED);
            case OBSERVE -> listed(net, terms, entries, entries.isObserving() ? OBSERVED : UNLISTED);
        };
    }

    private static NetRules listed(NetSection net, Terms terms, Entries entries, Decision unlisted) {
        boolean isSilent = net.reach() == NetSection.Reach.ALLOWLIST
                && net.hosts().isEmpty()
                && net.registries().isEmpty();
        if (isSilent && terms.silence() == Terms.Silence.ABSTAINS) {
            return new NetRules(List.of(), SILENT, unlisted);
        }
        var all = new ArrayList<>(entries.ofHosts(net.hosts().orElse(List.of())));
        all.addAll(entries.ofRegistries(net.registries().orElse(List.of())));
        return new NetRules(all, null, unlisted);
    }

    Decision request(HostName host, int port, String method, String path) {
        var settled = settledOrNull(host);
        if (settled != null) {
            return settled;
        }
        int index = requests.findRequest(host, port, method, path);
        return index == NetTable.NONE ? refusal(host) : allow[index];
    }

    Decision connection(HostName host, int port) {
        var settled = settledOrNull(host);
        if (settled != null) {
            return settled;
        }
        int index = connections.findConnection(host, port);
        return index == NetTable.NONE ? refusal(host) : allow[index];
    }

    /// A name may be looked up when something may go there.
    Decision lookup(HostName host) {
        var settled = settledOrNull(host);
        if (settled != null) {
            return settled;
        }
        int index = connections.findUsable(host);
        return index == NetTable.NONE ? unlisted : allow[index];
    }

    private @Nullable Decision settledOrNull(HostName host) {
        var forbidden = ForbiddenHosts.denialOrNull(host);
        return forbidden == null ? always : forbidden;
    }

    private Decision refusal(HostName host) {
        int near = connections.findHost(host);
        return near == NetTable.NONE ? unlisted : nearMiss[near];
    }

    Optional<Entry> entryFor(HostName host, int port) {
        int index = connections.findConnection(host, port);
        return index == NetTable.NONE ? Optional.empty() : Optional.of(entries.get(index));
    }

    /// The entry that lets `action` through; empty where none does or it is no use of a destination.
    Optional<Entry> entryLetting(Action action) {
        int index = switch (action) {
            case Action.HttpRequest(String method, HostName host, int port, String path) ->
                requests.findRequest(host, port, method, path);
            case Action.NetConnect(HostName host, int port) -> connections.findConnection(host, port);
            default -> NetTable.NONE;
        };
        return index == NetTable.NONE ? Optional.empty() : Optional.of(entries.get(index));
    }

    boolean letsUnlistedThrough() {
        return unlisted instanceof Decision.Allow;
    }

    List<Entry> entries() {
        return entries;
    }
}
