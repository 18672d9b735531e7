package dev.cagewright.supervisor.budget;

import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.layers.Layer;
import dev.cagewright.policy.quantity.ByteSize;

/// How much of one amount of a budget is used.
///
/// @param rule e.g. `net.hosts[0].budget.requests`
/// @param used requests or bytes, by everybody who draws on it, in the period that runs
public record Spent(Layer.Rank rank, String rule, Budget.Measure measure, long used, Budget.Rate rate) {
    /// E.g. `3KiB of 20MiB/day`.
    public String amounts() {
        var amount = measure == Budget.Measure.REQUESTS ? Long.toString(used) : new ByteSize(used).toString();
        return amount + " of " + measure.text(rate);
    }

    /// With the rule before it.
    @Override
    public String toString() {
        return rule + ": " + amounts();
    }
}
