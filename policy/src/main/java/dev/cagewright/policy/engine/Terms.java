package dev.cagewright.policy.engine;

import dev.cagewright.policy.document.Mode;
import dev.cagewright.policy.quantity.TimeSpan;
import java.util.Map;
import java.util.Optional;

/// What a document cannot say about itself, but its meaning depends on.
///
/// @param silence what an absent section means
/// @param mode the mode of all layers together; absent when the document stands alone
/// @param patience how long an answer is awaited at most, whatever the document says
/// @param registries each package registry, by the name of its tool, as found on this machine; one that nobody looked
///     for grants nothing
public record Terms(
        Silence silence, Optional<Mode> mode, Optional<TimeSpan> patience, Map<String, Registry> registries) {

    /// What an absent section means.
    public enum Silence {
        /// The cage's own policy: denial.
        DENIES,
        /// One layer of several: no opinion.
        ABSTAINS
    }

    /// A document that stands alone, on a machine whose registries are not known.
    public static final Terms ALONE = new Terms(Silence.DENIES, Optional.empty(), Optional.empty(), Map.of());

    /// A document that stands alone, on a machine with these registries.
    public static Terms alone(Map<String, Registry> registries) {
        return new Terms(Silence.DENIES, Optional.empty(), Optional.empty(), registries);
    }

    public Terms {
        registries = Map.copyOf(registries);
    }
}
