package dev.cagewright.cli;

import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;

/// The exit codes of the product, documented in docs/exit-codes.md; never renumbered. A program that ran
/// passes its own code through.
public enum ExitCode {
    OK(0),
    /// A check found what it looks for: a broken log, an invalid policy.
    CHECK_FAILED(1),
    /// The command's words are off.
    USAGE(2),
    /// A person must approve first.
    APPROVAL_PENDING(3),
    /// No rule allows it.
    NO_RULE(4),
    /// A rule, the host or the log denies it.
    DENIED(5),
    /// The log is whole, but nothing shows that its end is.
    UNANCHORED(6),
    /// The log's end was cut off.
    CUT(7),
    /// What had to run before did not go well; the run did not begin.
    SETUP_FAILED(123),
    /// The wall-clock limit ended the run.
    TIMEOUT(124),
    /// The cage could not be built, or the product itself failed.
    NO_CAGE(125),
    /// The program cannot be executed.
    NOT_EXECUTABLE(126),
    /// There is no such program.
    NOT_FOUND(127);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /// The code that a decision ends with when nothing ran.
    public static ExitCode of(Decision decision) {
        return switch (decision) {
            case Decision.Allow _ -> OK;
            case Decision.Ask _ -> APPROVAL_PENDING;
            case Decision.Deny deny -> of(deny.code());
        };
    }

    /// The code that a denial ends with.
    public static ExitCode of(DenyCode denied) {
        return switch (denied) {
            case NO_RULE -> NO_RULE;
            case NOT_APPROVED -> APPROVAL_PENDING;
            case SHELL, FORBIDDEN, ISOLATION_UNAVAILABLE, TOKEN, BUDGET, AUDIT_UNAVAILABLE, RULE_FAILED -> DENIED;
        };
    }
}
