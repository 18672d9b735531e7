package dev.cagewright.cli.approval;

import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.approval.Question;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts what waits for a person's answer and reaches nobody. Safe for all threads.
public final class WaitingQuestions implements Asker {
    private final AtomicInteger waiting = new AtomicInteger();

    /// How many wait now.
    public int count() {
        return waiting.get();
    }

    @Override
    public boolean reaches() {
        return false;
    }

    @Override
    public Asked ask(Question question, Answers answers) {
        waiting.incrementAndGet();
        return waiting::decrementAndGet;
    }
}
