package dev.cagewright.supervisor.budget;

import dev.cagewright.egress.Budgets;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.layers.Layer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The budgets of a policy in force, all layers: every one of them holds. Immutable; the counts are [Meters]. What
/// [RunBudgets] adds is that a policy may be changed.
public final class PolicyBudgets implements Budgets {
    /// Whose budget it is.
    private record Owner(Layer.Rank rank, RuleId rule) {}

    private final EffectivePolicy policy;
    private final Map<Owner, List<Account>> accounts;

    private PolicyBudgets(EffectivePolicy policy, Map<Owner, List<Account>> accounts) {
        this.policy = policy;
        this.accounts = Collections.unmodifiableMap(accounts);
    }

    /// Opens every count that `policy` draws on.
    ///
    /// @throws IOException if a count cannot be had
    public static PolicyBudgets of(EffectivePolicy policy, Purse purse, Meters meters) throws IOException {
        var opening = new Opening(purse, meters, new LinkedHashMap<>());
        for (Layer layer : policy.layers()) {
            var net = layer.document().net();
            if (net.isPresent()) {
                opening.section(layer.rank(), net.get());
            }
        }
        return new PolicyBudgets(policy, opening.accounts());
    }

    private record Opening(Purse purse, Meters meters, Map<Owner, List<Account>> accounts) {
        void section(Layer.Rank rank, NetSection net) throws IOException {
            open(new Owner(rank, new RuleId("net.budget")), Optional.empty(), net.budget());
            var rules = net.hosts().orElse(List.of());
            for (int i = 0; i < rules.size(); i++) {
                var rule = rules.get(i);
                open(new Owner(rank, new RuleId("net.hosts[" + i + "].budget")), Optional.of(rule), rule.budget());
            }
        }

        private void open(Owner owner, Optional<HostRule> rule, Budget budget) throws IOException {
            var opened = new ArrayList<Account>();
            for (var measure : Budget.Measure.values()) {
                var rate = budget.rate(measure);
                if (rate.isPresent()) {
                    var what = Counted.text(owner.rank(), purse, rule) + "what " + measure.word() + "\n";
                    opened.add(new Account(
                            owner.rank(),
                            new RuleId(owner.rule() + "." + measure.word()),
                            measure,
                            rate.get(),
                            meters.of(what, rate.get().per())));
                }
            }
            if (!opened.isEmpty()) {
                accounts.put(owner, List.copyOf(opened));
            }
        }
    }

    @Override
    public Allowance of(Action action) {
        return drawing(drawn(action));
    }

    static Allowance drawing(List<Account> accounts) {
        return accounts.isEmpty() ? Allowance.UNLIMITED : new Drawing(accounts);
    }

    /// What `action` draws on.
    List<Account> drawn(Action action) {
        if (accounts.isEmpty()) {
            return List.of();
        }
        var drawn = new ArrayList<Account>();
        for (var budget : policy.budgets(action)) {
            var owner = new Owner(budget.rank(), budget.named().id());
            var opened = accounts.get(owner);
            if (opened == null) {
                throw new IllegalStateException("budget: " + owner + " (expected: opened before)");
            }
            drawn.addAll(opened);
        }
        return drawn;
    }

    /// Everything that is counted, in the order of the policy.
    List<Account> all() {
        return accounts.values().stream().flatMap(List::stream).toList();
    }
}
