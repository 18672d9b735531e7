package dev.cagewright.policy.gate;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.Obligations;
import dev.cagewright.policy.decision.RuleId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decides, asks, remembers, lets through; in that order, here and nowhere else. Safe for all threads.
public final class Gate {
    private static final RuleId JOURNAL = new RuleId("audit:unavailable");
    private static final RuleId BROKEN_RULE = new RuleId("rule:failed");
    private static final RuleId UNCOUNTED = new RuleId("budget:unavailable");

    private final List<Judge> judges;
    private final Approvals approvals;
    private final Journal journal;

    /// @param judges at least one, all of which must allow; earlier ones win when several refuse
    public Gate(List<Judge> judges, Approvals approvals, Journal journal) {
        this.judges = List.copyOf(judges);
        if (this.judges.isEmpty()) {
            throw new IllegalArgumentException("judges: [] (expected: at least one)");
        }
        this.approvals = approvals;
        this.journal = journal;
    }

    /// Returns the warrant for `action`.
    ///
    /// @throws DeniedException if a judge denies it, nobody approved it in time, or the intent could not be
    ///     made durable
    public Warrant pass(Action action) throws DeniedException {
        return pass(action, Charge.NOTHING);
    }

    /// Like [#pass(Action)], for an act that costs something.
    ///
    /// @throws DeniedException for those reasons, or if there is nothing left for it
    public Warrant pass(Action action, Charge charge) throws DeniedException {
        return pass(action, charge, Exhibit.of(action));
    }

    /// Like [#pass(Action, Charge)], for an act with more to it than the action says.
    ///
    /// @param exhibit what a person who is asked agrees to
    /// @throws DeniedException for those reasons, or if the exhibit changed between question and answer
    public Warrant pass(Action action, Charge charge, Exhibit exhibit) throws DeniedException {
        var id = journal.nextId();
        var verdict = charged(id, charge, settle(id, action, judge(action), exhibit));
        long intent = remember(id, action, verdict);
        return switch (verdict) {
            case Decision.Allow allowed -> new Warrant(id, action, allowed, intent);
            case Decision.Deny denied -> throw new DeniedException(id, action, denied);
        };
    }

    /// Puts on record that `action` was refused by whoever looked closer at it than the judges can, and returns the
    /// refusal for the caller to throw.
    public DeniedException refuse(Action action, Decision.Deny why) {
        var id = journal.nextId();
        try {
            remember(id, action, why);
        } catch (DeniedException unrecorded) {
            return unrecorded;
        }
        return new DeniedException(id, action, why);
    }

    /// Like [#pass(Action)] for callers that may not wait: returns at once, and `hearing` is told when the intent is on
    /// the disk, on a thread of the journal's, where it does not wait either.
    ///
    /// @return whether it is under way; otherwise somebody has to be asked, nothing has happened, and
    ///     [#pass(Action)] is the way
    public boolean pass(Action action, Hearing hearing) {
        if (!(judge(action) instanceof Decision.Verdict verdict)) {
            return false;
        }
        var id = journal.nextId();
        journal.intent(id, action, verdict, new Journal.Recorded() {
            @Override
            public void durable(long intent) {
                switch (verdict) {
                    case Decision.Allow allowed -> hearing.passed(new Warrant(id, action, allowed, intent));
                    case Decision.Deny denied -> hearing.denied(new DeniedException(id, action, denied));
                }
            }

            @Override
            public void failed(IOException why) {
                hearing.denied(unrecorded(id, action, why));
            }
        });
        return true;
    }

    /// Hears the end of one [#pass(Action, Hearing)].
    public interface Hearing {
        void passed(Warrant warrant);

        void denied(DeniedException denied);
    }

    /// What [#pass(Action)] would decide, without asking, recording or acting.
    public Decision judge(Action action) {
        @Nullable Decision answer = null;
        for (Judge judge : judges) {
            var next = judgeSafely(judge, action);
            if (next instanceof Decision.Deny) {
                return next;
            }
            answer = answer == null ? next : both(answer, next);
        }
        if (answer == null) {
            throw new IllegalStateException("judges: [] (expected: at least one)");
        }
        return answer;
    }

    /// Of two answers that are no denials: a question stays one, and two allowances are one for both reasons.
    private static Decision both(Decision first, Decision second) {
        if (first instanceof Decision.Allow one && second instanceof Decision.Allow other) {
            var because = new ArrayList<>(one.because());
            because.addAll(other.because());
            long bytes = Math.min(
                    one.obligations().maxResponseBytes(), other.obligations().maxResponseBytes());
            return new Decision.Allow(because, new Obligations(bytes));
        }
        return first instanceof Decision.Ask ? first : second;
    }

    private static Decision judgeSafely(Judge judge, Action action) {
        try {
            return judge.judge(action);
        } catch (RuntimeException | StackOverflowError e) {
            return new Decision.Deny(BROKEN_RULE, DenyCode.RULE_FAILED, "a rule could not be evaluated: " + e);
        }
    }

    private Decision.Verdict settle(DecisionId id, Action action, Decision decision, Exhibit exhibit) {
        return switch (decision) {
            case Decision.Verdict verdict -> verdict;
            case Decision.Ask ask -> {
                try {
                    yield asked(id, action, ask, exhibit);
                } catch (IOException e) {
                    yield refused(ask, "what needs approval could not be read: " + e.getMessage());
                }
            }
        };
    }

    private Decision.Verdict asked(DecisionId id, Action action, Decision.Ask ask, Exhibit exhibit) throws IOException {
        var shown = new Exhibit.Shown(exhibit.digest(), exhibit.lines());
        return switch (approvals.ask(id, action, ask, shown)) {
            case AGREED ->
                shown.digest().equals(exhibit.digest())
                        ? new Decision.Allow(ask.because(), Obligations.NONE)
                        : refused(ask, "it was changed after it had been shown for approval");
            case REFUSED -> refused(ask, "the person asked said no");
            case NO_ANSWER -> refused(ask, "needs approval, and nobody agreed");
        };
    }

    private static Decision.Deny refused(Decision.Ask ask, String why) {
        return new Decision.Deny(ask.because(), DenyCode.NOT_APPROVED, why);
    }

    private static Decision.Verdict charged(DecisionId id, Charge charge, Decision.Verdict verdict) {
        if (verdict instanceof Decision.Deny) {
            return verdict;
        }
        try {
            return charge.reserve(id).<Decision.Verdict>map(denied -> denied).orElse(verdict);
        } catch (RuntimeException e) {
            return new Decision.Deny(UNCOUNTED, DenyCode.BUDGET, "the budget could not be counted: " + e);
        }
    }

    private long remember(DecisionId id, Action action, Decision.Verdict verdict) throws DeniedException {
        try {
            return journal.intent(id, action, verdict);
        } catch (IOException e) {
            throw unrecorded(id, action, e);
        }
    }

    private static DeniedException unrecorded(DecisionId id, Action action, IOException why) {
        var denial = new Decision.Deny(
                JOURNAL, DenyCode.AUDIT_UNAVAILABLE, "the audit log cannot be written: " + why.getMessage());
        var denied = new DeniedException(id, action, denial);
        denied.initCause(why);
        return denied;
    }
}
