package dev.cagewright.supervisor.approval;

import dev.cagewright.policy.decision.RuleId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// What a person agreed to for more than one time: the rules that asked, each as long as was said. Safe for all
/// threads.
final class Consents {
    private final LongSupplier nanos;
    private final Map<List<RuleId>, Long> ends = new HashMap<>();

    /// @param nanos a clock that nobody sets, as [System#nanoTime]
    Consents(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /// Does an earlier agreement cover what these rules ask?
    synchronized boolean cover(List<RuleId> rules) {
        var end = ends.get(rules);
        if (end == null) {
            return false;
        }
        if (end - nanos.getAsLong() > 0) {
            return true;
        }
        ends.remove(rules);
        return false;
    }

    /// Keeps an agreement as far as its scope reaches.
    synchronized void keep(List<RuleId> rules, Scope scope) {
        switch (scope) {
            case Scope.Once _ -> {
                return;
            }
            case Scope.ThisRun _ -> until(rules, Duration.ofDays(3650));
            case Scope.For(Duration time) -> until(rules, time);
        }
    }

    private void until(List<RuleId> rules, Duration time) {
        ends.put(List.copyOf(rules), nanos.getAsLong() + time.toNanos());
    }
}
