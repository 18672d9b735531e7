package dev.cagewright.policy.decision;

/// The one name of a decision: the same in the terminal, the audit log, an HTTP 403 and an MCP error.
/// Shape `SESSION-N`, e.g. `k3v9x2m4qp-7`: the session's id and the decision's number in it.
public record DecisionId(String value) {
    public DecisionId {
        if (!value.matches("[a-z0-9]{1,32}-[0-9]{1,18}")) {
            throw new IllegalArgumentException("decision id: \"" + value + "\" (expected: SESSION-N)");
        }
    }

    public static DecisionId of(String session, long number) {
        return new DecisionId(session + "-" + number);
    }

    /// The session part.
    public String session() {
        return value.substring(0, value.lastIndexOf('-'));
    }

    @Override
    public String toString() {
        return value;
    }
}
