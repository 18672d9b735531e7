package dev.cagewright.egress.inspect;

import dev.cagewright.policy.document.InspectSection.Reaction;
import java.util.Optional;

/// What the words of a policy come to.
final class Reactions {
    private Reactions() {}

    /// Empty for `off`.
    static Optional<Sighting.Severity> severity(Reaction reaction) {
        return switch (reaction) {
            case OFF -> Optional.empty();
            case FLAG -> Optional.of(Sighting.Severity.FLAG);
            case BLOCK -> Optional.of(Sighting.Severity.BLOCK);
        };
    }
}
