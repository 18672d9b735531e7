package dev.cagewright.supervisor.budget;

import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.layers.Layer;

/// One amount of one budget, and the count of what is used of it.
///
/// @param rule e.g. `net.hosts[0].budget.requests`
record Account(Layer.Rank rank, RuleId rule, Budget.Measure measure, Budget.Rate rate, Meter meter) {

    /// Counts `amount`; see [Meter#take].
    long take(long amount) {
        return meter.take(amount, rate.amount());
    }

    boolean isUsedUp() {
        return meter.used() >= rate.amount();
    }

    Spent spent() {
        return new Spent(rank, rule.value(), measure, meter.used(), rate);
    }

    /// Why there is not enough.
    Decision.Deny shortage() {
        var left = Math.max(0, rate.amount() - meter.used());
        var what = rule + " is " + measure.text(rate) + ", and "
                + (left == 0 ? "that is used up" : "the " + left + " that are left do not suffice");
        var when = meter.comesBack().map(time -> "; more from " + time).orElse("; there is no more in this run");
        return new Decision.Deny(rule, DenyCode.BUDGET, what + when);
    }
}
