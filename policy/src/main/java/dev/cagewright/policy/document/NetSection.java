package dev.cagewright.policy.document;

import dev.cagewright.policy.quantity.Field;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// `net`: where the cage may go.
///
/// @param mode absent means `allowlist`
/// @param registries package registries by the name of their tool, e.g. `npm`; their hosts come from that
///     tool's configuration on the host
/// @param hosts absent in a layer that has no opinion about hosts
/// @param aliases short names for hosts, e.g. `github` for `api.github.com`
/// @param upstream how the gateway itself gets out
/// @param budget how much everything together may use
public record NetSection(
        Optional<Reach> mode,
        Optional<List<String>> registries,
        Optional<List<HostRule>> hosts,
        Map<String, String> aliases,
        Upstream upstream,
        Budget budget) {
    /// No network.
    public static final NetSection CLOSED = new NetSection(
            Optional.of(Reach.NONE), Optional.empty(), Optional.empty(), Map.of(), Upstream.DIRECT, Budget.UNLIMITED);

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

    /// A section that bounds nothing of everything together.
    public NetSection(
            Optional<Reach> mode,
            Optional<List<String>> registries,
            Optional<List<HostRule>> hosts,
            Map<String, String> aliases,
            Upstream upstream) {
        this(mode, registries, hosts, aliases, upstream, Budget.UNLIMITED);
    }

    public NetSection {
        registries = registries.map(List::copyOf);
        hosts = hosts.map(List::copyOf);
        aliases = Map.copyOf(aliases);
        for (String alias : aliases.keySet()) {
            if (!alias.matches("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")) {
                throw Field.refusal("net.aliases", alias, "a name of lower-case letters, digits and '-'");
            }
        }
    }

    public Reach reach() {
        return mode.orElse(Reach.ALLOWLIST);
    }
}
