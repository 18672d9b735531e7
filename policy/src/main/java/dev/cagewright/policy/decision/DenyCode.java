package dev.cagewright.policy.decision;

/// Why an action was refused, for programs. Names are part of the JSON output and never change.
public enum DenyCode {
    /// No rule allows it; silence is denial.
    NO_RULE,
    /// A shell with a command string, a script or a start-up file; an interpreter with inline code.
    SHELL,
    /// A rule forbids it.
    FORBIDDEN,
    /// The isolation that the policy asks for cannot be had on this host.
    ISOLATION_UNAVAILABLE,
    /// A token does not carry the right.
    TOKEN,
    /// A person was asked and did not agree in time.
    NOT_APPROVED,
    /// A budget is used up.
    BUDGET,
    /// The intent could not be made durable in the audit log.
    AUDIT_UNAVAILABLE,
    /// A rule could not be evaluated.
    RULE_FAILED
}
