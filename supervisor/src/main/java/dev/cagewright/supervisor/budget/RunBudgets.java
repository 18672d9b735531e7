package dev.cagewright.supervisor.budget;

import dev.cagewright.egress.Budgets;
import dev.cagewright.policy.action.Action;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The budgets of a run: those of the policy that it began with, and of what became of it meanwhile, if that is
/// less; and of its token. Of one count the smaller amount holds. Safe for all threads.
public final class RunBudgets implements Budgets {
    private final PolicyBudgets start;
    private final TokenBudgets token;

    /// Null until the policy was changed.
    private volatile @Nullable PolicyBudgets later;

    public RunBudgets(PolicyBudgets start) {
        this(start, TokenBudgets.NONE);
    }

    public RunBudgets(PolicyBudgets start, TokenBudgets token) {
        this.start = start;
        this.token = token;
    }

    /// What is said from the next request on; what was said at the start goes on to hold.
    public void became(PolicyBudgets changed) {
        later = changed;
    }

    @Override
    public Allowance of(Action action) {
        var changed = later;
        var drawn = new ArrayList<>(
                changed == null ? start.drawn(action) : both(start.drawn(action), changed.drawn(action)));
        drawn.addAll(token.accounts());
        return PolicyBudgets.drawing(drawn);
    }

    /// What is used of everything that was bounded at the start, or is now.
    public List<Spent> spent() {
        var changed = later;
        var accounts = changed == null ? start.all() : both(start.all(), changed.all());
        return accounts.stream().map(Account::spent).toList();
    }

    private static List<Account> both(List<Account> one, List<Account> other) {
        var all = new ArrayList<>(one);
        for (var account : other) {
            int known = 0;
            while (known < all.size() && all.get(known).meter() != account.meter()) {
                known++;
            }
            if (known == all.size()) {
                all.add(account);
            } else if (account.rate().amount() < all.get(known).rate().amount()) {
                all.set(known, account);
            }
        }
        return all;
    }
}
