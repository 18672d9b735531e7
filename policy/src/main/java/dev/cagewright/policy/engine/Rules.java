package dev.cagewright.policy.engine;

import dev.cagewright.policy.decision.RuleId;

/// The names of rules that no policy file has a line for. A name with a colon is built in.
public final class Rules {
    /// Code in an argument list.
    public static final RuleId SHELL = new RuleId("deny:shell");

    /// A program's name that is not what it seems, or stands where the workload can write.
    public static final RuleId PROGRAM_NAME = new RuleId("deny:program-name");

    /// Cloud metadata end points and link-local addresses.
    public static final RuleId METADATA = new RuleId("deny:metadata");

    /// An IP address in a spelling that programs read differently.
    public static final RuleId ADDRESS = new RuleId("deny:address");

    /// No rule allows it.
    public static final RuleId DEFAULT = new RuleId("default:deny");

    /// No allowlist of programs, so any may start.
    public static final RuleId ANY_PROGRAM = new RuleId("exec:any");

    /// This layer says nothing about it.
    public static final RuleId SILENT = new RuleId("layer:silent");

    /// The isolation asked for cannot be had.
    public static final RuleId ISOLATION_UNAVAILABLE = new RuleId("isolation:unavailable");

    /// Isolation was given up by name.
    public static final RuleId UNISOLATED = new RuleId("isolation:unisolated");

    static final RuleId ALLOWLIST = new RuleId("exec.allowlist");
    /// Settled by `net.mode`: closed by `none`, or let through by `observe` though no rule names it.
    public static final RuleId NET_MODE = new RuleId("net.mode");
    static final RuleId PUBLISH = new RuleId("net.publish");
    static final RuleId NET_BUDGET = new RuleId("net.budget");
    static final RuleId MIN_ISOLATION = new RuleId("min_isolation");

    private Rules() {}

    static RuleId at(String list, int index) {
        return new RuleId(list + "[" + index + "]");
    }
}
