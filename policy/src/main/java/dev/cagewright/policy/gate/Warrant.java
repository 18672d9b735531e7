package dev.cagewright.policy.gate;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;

/// Proof that an [Action] was allowed **and** that its intent is on disk. Runtimes, broker and proxy take
/// one as their first argument, so code that forgot to ask the [Gate] does not compile.
///
/// A class and not a record: a record cannot hide its constructor, and a proof that anyone can write is
/// no proof. Safe for all threads.
public final class Warrant {
    private final DecisionId id;
    private final Action action;
    private final Decision.Allow allowed;
    private final long intentSequence;
    private boolean spent;

    Warrant(DecisionId id, Action action, Decision.Allow allowed, long intentSequence) {
        this.id = id;
        this.action = action;
        this.allowed = allowed;
        this.intentSequence = intentSequence;
    }

    /// Returns the allowed action, at most once.
    ///
    /// @throws IllegalStateException if this warrant was spent before
    public synchronized Action spend() {
        if (spent) {
            throw new IllegalStateException("warrant " + id + " is already spent");
        }
        spent = true;
        return action;
    }

    /// Like [#spend()], for callers that act on one kind of action only.
    ///
    /// @throws IllegalStateException if this warrant was spent before or is for another kind
    public <A extends Action> A spend(Class<A> kind) {
        if (!kind.isInstance(action)) {
            throw new IllegalStateException(
                    "warrant " + id + " is for " + action.name() + " (expected: " + kind.getSimpleName() + ")");
        }
        return kind.cast(spend());
    }

    public DecisionId id() {
        return id;
    }

    public Decision.Allow allowed() {
        return allowed;
    }

    /// The intent's sequence number in the audit log.
    public long intentSequence() {
        return intentSequence;
    }
}
