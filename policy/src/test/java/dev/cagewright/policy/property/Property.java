package dev.cagewright.policy.property;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A sentence that should hold for all inputs, tried on many. The seed is new each time, is printed when the
/// sentence turns out false, and can be given back with `-Dproperty.seed=N`. A failing input is made smaller as long
/// as it keeps failing.
///
/// @param draw makes an input
/// @param smaller inputs that are simpler than the given one, simplest first; may be empty
public record Property<T>(Function<Random, T> draw, Function<T, List<T>> smaller) {
    private static final int MOST_SHRINKS = 2_000;

    public void holds(int rounds, Consumer<T> sentence) {
        long seed = Long.getLong("property.seed", System.nanoTime());
        var random = new Random(seed);
        for (int round = 0; round < rounds; round++) {
            T input = draw.apply(random);
            var failure = failure(input, sentence);
            if (failure != null) {
                var smallest = shrink(input, sentence);
                var last = failure(smallest, sentence);
                throw new AssertionError(
                        String.format(Locale.ROOT, "seed %d, round %d, input %s: ", seed, round, smallest)
                                + (last == null ? failure : last).getMessage(),
                        failure);
            }
        }
    }

    private T shrink(T input, Consumer<T> sentence) {
        T smallest = input;
        boolean isShrinking = true;
        for (int tries = 0; isShrinking && tries < MOST_SHRINKS; tries++) {
            isShrinking = false;
            for (T candidate : smaller.apply(smallest)) {
                if (failure(candidate, sentence) != null) {
                    smallest = candidate;
                    isShrinking = true;
                    break;
                }
            }
        }
        return smallest;
    }

    private static <T> @Nullable Throwable failure(T input, Consumer<T> sentence) {
        try {
            sentence.accept(input);
            return null;
        } catch (AssertionError | RuntimeException | StackOverflowError e) {
            return e;
        }
    }
}
