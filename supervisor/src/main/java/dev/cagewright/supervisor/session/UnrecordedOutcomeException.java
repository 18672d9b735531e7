package dev.cagewright.supervisor.session;

import java.io.IOException;

/// A program ran and its outcome could not be written to the audit log.
public final class UnrecordedOutcomeException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient RunOutcome outcome;

    UnrecordedOutcomeException(RunOutcome outcome, IOException cause) {
        super("the outcome could not be recorded: " + cause.getMessage(), cause);
        this.outcome = outcome;
    }

    public RunOutcome outcome() {
        return outcome;
    }
}
