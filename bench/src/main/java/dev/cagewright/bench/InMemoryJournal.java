package dev.cagewright.bench;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.gate.Journal;
import java.util.concurrent.atomic.AtomicLong;

/// A journal on no disk: what a durable intent costs is [AppendBench]'s question. Safe for all threads.
final class InMemoryJournal implements Journal {
    private final AtomicLong ids = new AtomicLong();
    private final AtomicLong intents = new AtomicLong();

    @Override
    public DecisionId nextId() {
        return DecisionId.of("bench", ids.incrementAndGet());
    }

    @Override
    public long intent(DecisionId id, Action action, Decision.Verdict verdict) {
        return intents.incrementAndGet();
    }
}
