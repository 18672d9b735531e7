package dev.cagewright.sandbox.conformance;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.Approvals;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Gate;
import dev.cagewright.policy.gate.Journal;
import dev.cagewright.policy.gate.Warrant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// A gate that lets everything through: what may run is not the runtimes' question.
public final class Warrants {
    private static final Gate OPEN = new Gate(
            List.of(_ -> new Decision.Allow(new RuleId("test:open"))), Approvals.NOBODY, new CountingJournal());

    private Warrants() {}

    public static Warrant exec(List<ByteString> argv, String workingDirectory) {
        return of(new Action.ProcExec(argv, new GuestPath(workingDirectory)));
    }

    public static Warrant of(Action action) {
        try {
            return OPEN.pass(action);
        } catch (DeniedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class CountingJournal implements Journal {
        private final AtomicLong next = new AtomicLong();

        @Override
        public DecisionId nextId() {
            return DecisionId.of("test", next.incrementAndGet());
        }

        @Override
        public long intent(DecisionId id, Action action, Decision.Verdict verdict) {
            return next.get();
        }
    }
}
