package dev.cagewright.escape;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// One attempt to get out, with the act beside it that has to work: a cage in which nothing works proves nothing.
///
/// @param id names it in reports, `[A-Za-z0-9-]+`; begins with the number of the reported case it came from, if any
/// @param tries what a workload would want, one clause
public record Probe(String id, Invariant invariant, String tries, Twin allowed, Twin denied) {
    public Probe {
        if (!id.matches("[A-Za-z0-9]+(-[A-Za-z0-9]+)*")) {
            throw new IllegalArgumentException("probe id: " + id + " (expected: words joined by -)");
        }
    }

    /// One of the two acts.
    ///
    /// @param act what is done, one clause
    public record Twin(String act, Trial trial) {
        /// The same act beside several others of a person: it is done at the first of them, and counts for all.
        public static Twin shared(String act, Trial trial) {
            var known = new AtomicReference<Optional<Outcome>>(Optional.empty());
            return new Twin(act, () -> {
                if (known.get().isEmpty()) {
                    known.set(Optional.of(trial.attempt()));
                }
                return known.get().orElseThrow();
            });
        }
    }

    /// Does it and says how it went.
    @FunctionalInterface
    public interface Trial {
        Outcome attempt() throws Exception;
    }
}
