package dev.cagewright.supervisor.approval;

import dev.cagewright.policy.quantity.TimeSpan;
import java.time.Duration;

/// How far an agreement reaches: never further than the rule that asked.
public sealed interface Scope {
    /// The longest [For].
    Duration LONGEST = Duration.ofDays(1);

    /// The object that was shown, one time.
    record Once() implements Scope {
        @Override
        public String word() {
            return "once";
        }
    }

    /// Whatever the same rule asks about in the same run.
    record ThisRun() implements Scope {
        @Override
        public String word() {
            return "run";
        }
    }

    /// The same, for a time at most.
    ///
    /// @param time of the clock that nobody sets; positive, at most [#LONGEST]
    record For(Duration time) implements Scope {
        public For {
            if (time.isNegative() || time.isZero() || time.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException("scope: " + time + " (expected: more than nothing, at most 24h)");
            }
        }

        @Override
        public String word() {
            return time.toMillis() + "ms";
        }
    }

    /// As [#parse] reads it.
    String word();

    /// Reads `once`, `run` or a time such as `10m`.
    ///
    /// @throws IllegalArgumentException naming the accepted forms
    static Scope parse(String word) {
        return switch (word) {
            case "once" -> new Once();
            case "run" -> new ThisRun();
            default -> new For(TimeSpan.parse("scope", word).value());
        };
    }
}
