package dev.cagewright.policy.layers;

import dev.cagewright.policy.document.Origin;
import java.util.Optional;

/// A value that is in force, and the layer and line it comes from.
///
/// @param rank absent when no layer says anything and the product's default holds
public record Sourced<T>(T value, Optional<Layer.Rank> rank, Optional<Origin> origin) {
    static <T> Sourced<T> byDefault(T value) {
        return new Sourced<>(value, Optional.empty(), Optional.empty());
    }

    static <T> Sourced<T> of(Layer layer, String pointer, T value) {
        return new Sourced<>(
                value, Optional.of(layer.rank()), layer.document().origins().at(pointer));
    }
}
