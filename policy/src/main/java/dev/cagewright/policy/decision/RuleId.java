package dev.cagewright.policy.decision;

/// The name of a rule, stable for one policy: a built-in (`deny:shell`, `isolation:unavailable`) or the
/// place in the policy file (`net.hosts[2]`, `exec.allowlist`).
public record RuleId(String value) {
    public RuleId {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("rule id: \"\" (expected: a name)");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
