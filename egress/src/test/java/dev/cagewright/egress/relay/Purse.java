package dev.cagewright.egress.relay;

import dev.cagewright.egress.Budgets;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// Budgets in memory, one for everything.
final class Purse implements Budgets {
    private static final long PLENTY = 1L << 50;

    final AtomicLong requests = new AtomicLong(PLENTY);
    final AtomicLong sent = new AtomicLong(PLENTY);
    final AtomicLong received = new AtomicLong(PLENTY);

    @Override
    public Allowance of(Action action) {
        return new Allowance() {
            @Override
            public Optional<Decision.Deny> reserve(DecisionId id) {
                return spend(requests, 1, "requests");
            }

            @Override
            public Optional<Decision.Deny> take(Way way, long bytes) {
                return switch (way) {
                    case SENT -> spend(sent, bytes, "sent");
                    case RECEIVED -> spend(received, bytes, "received");
                };
            }
        };
    }

    private static Optional<Decision.Deny> spend(AtomicLong purse, long amount, String what) {
        while (true) {
            long left = purse.get();
            if (left < amount) {
                var rule = new RuleId("net.hosts[0].budget." + what);
                return Optional.of(new Decision.Deny(rule, DenyCode.BUDGET, what + " is used up"));
            }
            if (purse.compareAndSet(left, left - amount)) {
                return Optional.empty();
            }
        }
    }
}
