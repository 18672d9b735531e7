package dev.cagewright.policy.document;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// `phases`: what runs before the program itself, in a cage of its own on the same files.
public record Phases(Setup setup) {

    /// The set-up: for example, packages are fetched.
    ///
    /// @param command what runs; not empty
    /// @param net takes the place of the document's own `net` meanwhile; absent means nowhere
    public record Setup(List<String> command, Optional<NetSection> net) {
        public Setup {
            command = List.copyOf(command);
        }

        /// The network of the set-up: its own rules, with the aliases, the way out and the budget of `usual` where it
        /// has none. Nothing is granted in it.
        NetSection over(Optional<NetSection> usual) {
            var own = net.orElse(NetSection.CLOSED);
            var aliases = new TreeMap<>(usual.map(NetSection::aliases).orElse(Map.of()));
            aliases.putAll(own.aliases());
            var upstream = usual.map(NetSection::upstream).orElse(Upstream.DIRECT);
            return new NetSection(
                    own.mode(),
                    own.registries(),
                    own.hosts(),
                    aliases,
                    new Upstream(
                            own.upstream().proxy().or(upstream::proxy),
                            own.upstream().ca().or(upstream::ca)),
                    own.budget().isUnlimited() ? usual.map(NetSection::budget).orElse(Budget.UNLIMITED) : own.budget(),
                    Optional.empty(),
                    Optional.empty());
        }
    }
}
