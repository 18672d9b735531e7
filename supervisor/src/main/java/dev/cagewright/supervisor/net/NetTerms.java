package dev.cagewright.supervisor.net;

import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.layers.Layer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What the policy in force comes to for a cage's network.
///
/// @param policy its rules, all layers
/// @param remedies what would allow what was refused
/// @param renewal what becomes of it meanwhile
/// @param setUps the layers whose network section is that of their set-up; empty for a run's
public record NetTerms(EffectivePolicy policy, Remedies remedies, Renewal renewal, Set<Layer.Rank> setUps) {
    public NetTerms {
        setUps = Set.copyOf(setUps);
    }

    /// The policy's files.
    public interface Renewal {
        /// Those that were read.
        List<Path> files();

        /// Do they still say, byte for byte, what was read? A file that is gone has said nothing else.
        ///
        /// @throws IOException if one cannot be read
        boolean isAsRead() throws IOException;

        /// What they come to now.
        ///
        /// @throws IOException if one cannot be read, or is no policy
        EffectivePolicy read() throws IOException;
    }

    /// In the words of the policy file.
    @FunctionalInterface
    public interface Remedies {
        List<String> of(DeniedException denied);
    }

    /// Is there anything that a cage may reach? Where there is not, it has no network at all.
    public boolean isOpen() {
        var sections = policy.layers().stream()
                .flatMap(layer -> layer.document().net().stream())
                .toList();
        return sections.stream().noneMatch(net -> net.reach() == NetSection.Reach.NONE)
                && sections.stream().anyMatch(NetTerms::opensSomething);
    }

    /// Is there anything that the policy grants by itself when a program asks?
    public boolean grantsAnything() {
        return policy.layers().stream()
                .flatMap(layer -> layer.document().net().stream())
                .anyMatch(net -> isListed(net.mayGrant()));
    }

    private static boolean opensSomething(NetSection net) {
        return net.reach() == NetSection.Reach.OBSERVE
                || isListed(net.hosts())
                || isListed(net.registries())
                || isListed(net.mayGrant());
    }

    private static <T> boolean isListed(Optional<List<T>> list) {
        return list.filter(some -> !some.isEmpty()).isPresent();
    }
}
