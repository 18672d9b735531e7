package dev.cagewright.policy.token.right;

import dev.cagewright.policy.decision.RuleId;
import java.util.Locale;

/// What a right is about. A link that says nothing about an axis grants nothing on it.
public enum Axis {
    /// Kinds of action, e.g. `http.request`.
    ACTIONS,
    HOSTS,
    METHODS,
    PATHS,
    /// Trees of the cage's files, readable or writable.
    MOUNTS,
    SECRETS,
    /// Tools of MCP servers.
    TOOLS;

    /// As the token spells it.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The name of a denial for want of a right on this axis, e.g. `token:hosts`.
    public RuleId rule() {
        return new RuleId("token:" + word());
    }
}
