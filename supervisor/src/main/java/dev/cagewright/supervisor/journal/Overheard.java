package dev.cagewright.supervisor.journal;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.gate.Journal;
import java.io.IOException;
import java.util.function.BiConsumer;

/// A journal whose decisions somebody hears of, each before it is on the disk. Everything else is `journal`'s. Safe for
/// all threads, if `hearer` is.
///
/// @param hearer does not wait
public record Overheard(Journal journal, BiConsumer<DecisionId, Action> hearer) implements Journal {
    @Override
    public DecisionId nextId() {
        return journal.nextId();
    }

    @Override
    public long intent(DecisionId id, Action action, Decision.Verdict verdict) throws IOException {
        hearer.accept(id, action);
        return journal.intent(id, action, verdict);
    }

    @Override
    public void intent(DecisionId id, Action action, Decision.Verdict verdict, Recorded recorded) {
        hearer.accept(id, action);
        journal.intent(id, action, verdict, recorded);
    }
}
