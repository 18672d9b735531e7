package dev.cagewright.policy.document;

import dev.cagewright.policy.quantity.Field;
import dev.cagewright.policy.quantity.TimeSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// `net`: where the cage may go.
///
/// @param mode absent means `allowlist`
/// @param registries package registries by the name of their tool, e.g. `npm`; their hosts come from that
///     tool's configuration on the host
/// @param hosts absent in a layer that has no opinion about hosts
/// @param aliases short names for hosts, e.g. `github` for `api.github.com`
/// @param upstream how the gateway itself gets out
/// @param budget how much everything together may use
/// @param publish ports of the cage that the host's loopback may answer for; absent in a layer that has no opinion
/// @param mayGrant what may be granted for a time by itself, when a program asks; absent in a layer that has no opinion
public record NetSection(
        Optional<Reach> mode,
        Optional<List<String>> registries,
        Optional<List<HostRule>> hosts,
        Map<String, String> aliases,
        Upstream upstream,
        Budget budget,
        Optional<List<MayGrant>> mayGrant,
        Optional<List<Integer>> publish) {
    /// No network.
    public static final NetSection CLOSED =
            new NetSection(Optional.of(Reach.NONE), Optional.empty(), Optional.empty(), Map.of(), Upstream.DIRECT);

    /// No opinion.
    static final NetSection SILENT =
            new NetSection(Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), Upstream.DIRECT);

    /// One entry of `may_grant`: requests that may be granted, in whole or in part.
    ///
    /// @param hosts patterns and aliases
    /// @param methods absent means all
    /// @param paths patterns; absent means all
    /// @param ports absent means 443 and 80
    /// @param addresses the only ones that may be dialled; absent means any public one
    /// @param time the longest that a grant lasts; absent means an hour
    public record MayGrant(
            List<String> hosts,
            Optional<List<String>> methods,
            Optional<List<String>> paths,
            Optional<List<Integer>> ports,
            Optional<List<String>> addresses,
            Optional<TimeSpan> time) {
        public MayGrant {
            hosts = List.copyOf(hosts);
            methods = methods.map(List::copyOf);
            paths = paths.map(List::copyOf);
            ports = ports.map(List::copyOf);
            addresses = addresses.map(List::copyOf);
        }

        /// E.g. `GET, HEAD api.example.com /v1/** for 30m`.
        @Override
        public String toString() {
            return methods.map(all -> String.join(", ", all)).orElse("any method")
                    + " " + String.join(", ", hosts)
                    + ports.map(all -> " at port "
                                    + all.stream().map(String::valueOf).collect(Collectors.joining(", ")))
                            .orElse("")
                    + paths.map(all -> " " + String.join(", ", all)).orElse("")
                    + addresses.map(all -> " at " + String.join(", ", all)).orElse("")
                    + " for " + time.map(TimeSpan::toString).orElse("1h");
        }
    }

    /// How far the network goes, strictest first.
    public enum Reach {
        NONE,
        ALLOWLIST,
        /// Unlisted hosts are let through and recorded; needs `mode: observe` beside it.
        OBSERVE;

        /// Reads one of the accepted spellings.
        ///
        /// @throws IllegalArgumentException naming `field` and the accepted names
        public static Reach parse(String field, String text) {
            return switch (text) {
                case "none" -> NONE;
                case "allowlist" -> ALLOWLIST;
                case "observe" -> OBSERVE;
                default -> throw Field.refusal(field, text, "none, allowlist or observe");
            };
        }

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// A section that bounds nothing of everything together, and says nothing of grants.
    public NetSection(
            Optional<Reach> mode,
            Optional<List<String>> registries,
            Optional<List<HostRule>> hosts,
            Map<String, String> aliases,
            Upstream upstream) {
        this(mode, registries, hosts, aliases, upstream, Budget.UNLIMITED, Optional.empty(), Optional.empty());
    }

    public NetSection {
        publish = publish.map(List::copyOf);
        registries = registries.map(List::copyOf);
        hosts = hosts.map(List::copyOf);
        aliases = Map.copyOf(aliases);
        mayGrant = mayGrant.map(List::copyOf);
        for (String alias : aliases.keySet()) {
            if (!alias.matches("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")) {
                throw Field.refusal("net.aliases", alias, "a name of lower-case letters, digits and '-'");
            }
        }
    }

    /// The same with unlisted hosts let through.
    NetSection observing() {
        return new NetSection(
                Optional.of(Reach.OBSERVE), registries, hosts, aliases, upstream, budget, mayGrant, publish);
    }

    /// The same with these ports of the cage published, too.
    NetSection publishing(List<Integer> ports) {
        var all = new ArrayList<>(publish.orElse(List.of()));
        ports.stream().filter(port -> !all.contains(port)).forEach(all::add);
        return new NetSection(mode, registries, hosts, aliases, upstream, budget, mayGrant, Optional.of(all));
    }

    public Reach reach() {
        return mode.orElse(Reach.ALLOWLIST);
    }
}
