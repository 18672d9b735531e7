package dev.cagewright.policy.decision;

/// The one name of a decision: the same in the terminal, the audit log, an HTTP 403 and an MCP error.
/// Shape `SESSION-N`, e.g. `k3v9x2m4qp-7`: the session's id and the decision's number in it.
public record DecisionId(String value) {
    private static final int MAX_SESSION = 32;
    private static final int MAX_DIGITS = 18;

    public DecisionId {
        if (!isRight(value)) {
            throw new IllegalArgumentException("decision id: \"" + value + "\" (expected: SESSION-N)");
        }
    }

    /// `[a-z0-9]{1,32}-[0-9]{1,18}`, without a pattern: every request has one of these.
    private static boolean isRight(String value) {
        int dash = value.indexOf('-');
        int digits = value.length() - dash - 1;
        if (dash < 1 || dash > MAX_SESSION || digits < 1 || digits > MAX_DIGITS) {
            return false;
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean isDigit = c >= '0' && c <= '9';
            if (i != dash && !isDigit && (i > dash || c < 'a' || c > 'z')) {
                return false;
            }
        }
        return true;
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
