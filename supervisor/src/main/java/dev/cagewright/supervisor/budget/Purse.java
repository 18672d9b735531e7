package dev.cagewright.supervisor.budget;

import dev.cagewright.policy.layers.Layer;
import java.util.Set;

/// Whose counts a policy's budgets are.
///
/// @param cage the cage's name: a project's budgets are for the cage, those of the other layers for all cages
/// @param setUps the layers whose network section is that of their set-up: its counts are not those of the run
public record Purse(String cage, Set<Layer.Rank> setUps) {
    public Purse {
        setUps = Set.copyOf(setUps);
    }

    /// Of a run without a set-up.
    public static Purse of(String cage) {
        return new Purse(cage, Set.of());
    }
}
