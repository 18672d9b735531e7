package dev.cagewright.supervisor.budget;

import dev.cagewright.egress.Budgets;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.document.Budget;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// One request or connection drawing on its accounts: on all of them, or on none.
final class Drawing implements Budgets.Allowance {
    private final List<Account> requests;
    private final List<Account> sent;
    private final List<Account> received;

    Drawing(List<Account> accounts) {
        this.requests = of(accounts, Budget.Measure.REQUESTS);
        this.sent = of(accounts, Budget.Measure.SENT);
        this.received = of(accounts, Budget.Measure.RECEIVED);
    }

    private static List<Account> of(List<Account> accounts, Budget.Measure measure) {
        return accounts.stream().filter(account -> account.measure() == measure).toList();
    }

    /// {@inheritDoc} Where no byte is left either way, there is no request.
    @Override
    public Optional<Decision.Deny> reserve(DecisionId id) {
        for (var bytes : List.of(sent, received)) {
            for (var account : bytes) {
                if (account.isUsedUp()) {
                    return Optional.of(account.shortage());
                }
            }
        }
        var shortage = takeAll(requests, 1, 0);
        return shortage.isPresent() ? shortage : flushed();
    }

    private Optional<Decision.Deny> flushed() {
        for (var account : requests) {
            try {
                account.meter().flush();
            } catch (IOException e) {
                return Optional.of(uncounted(account, e));
            }
        }
        return Optional.empty();
    }

    @Override
    public Optional<Decision.Deny> take(Budgets.Way way, long bytes) {
        var accounts = switch (way) {
            case SENT -> sent;
            case RECEIVED -> received;
        };
        return bytes == 0 ? Optional.empty() : takeAll(accounts, bytes, 0);
    }

    /// Takes from the account at `index` and those behind it; what an earlier one gave goes back when a later one
    /// refuses.
    private static Optional<Decision.Deny> takeAll(List<Account> accounts, long amount, int index) {
        if (index == accounts.size()) {
            return Optional.empty();
        }
        var account = accounts.get(index);
        try {
            long token = account.take(amount);
            if (token == Meter.REFUSED) {
                return Optional.of(account.shortage());
            }
            var refused = takeAll(accounts, amount, index + 1);
            if (refused.isPresent()) {
                account.meter().giveBack(token, amount);
            }
            return refused;
        } catch (RuntimeException e) {
            return Optional.of(uncounted(account, e));
        }
    }

    private static Decision.Deny uncounted(Account account, Exception why) {
        return new Decision.Deny(
                account.rule(), DenyCode.BUDGET, account.rule() + " could not be counted: " + why.getMessage());
    }
}
