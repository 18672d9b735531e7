package dev.cagewright.policy.decision;

import java.time.Duration;
import java.util.List;

/// The answer to one action: a [Verdict], or the question whether a person agrees. There is no fourth
/// answer: a rule that fails to evaluate becomes a [Deny].
public sealed interface Decision {
    /// The rules that settled the question, most specific first; never empty.
    List<RuleId> because();

    /// An answer that nobody has to be asked about any more.
    sealed interface Verdict extends Decision {}

    /// Yes, settled.
    record Allow(List<RuleId> because, Obligations obligations) implements Verdict {
        public Allow {
            because = nonEmpty(because);
        }

        public Allow(RuleId rule) {
            this(List.of(rule), Obligations.NONE);
        }
    }

    /// No, settled.
    ///
    /// @param detail one sentence for people: what was refused and why
    record Deny(List<RuleId> because, DenyCode code, String detail) implements Verdict {
        public Deny {
            because = nonEmpty(because);
        }

        public Deny(RuleId rule, DenyCode code, String detail) {
            this(List.of(rule), code, detail);
        }
    }

    /// Only if a person agrees.
    ///
    /// @param patience how long an answer is awaited, positive; silence is denial
    record Ask(List<RuleId> because, Duration patience) implements Decision {
        public Ask {
            because = nonEmpty(because);
            if (patience.isNegative() || patience.isZero()) {
                throw new IllegalArgumentException("patience: " + patience + " (expected: positive)");
            }
        }
    }

    private static List<RuleId> nonEmpty(List<RuleId> because) {
        if (because.isEmpty()) {
            throw new IllegalArgumentException("because: [] (expected: at least one rule)");
        }
        return List.copyOf(because);
    }
}
