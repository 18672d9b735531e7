package dev.cagewright.sandbox;

import java.util.List;

/// What really holds for a cage on this host.
///
/// @param gaps limits that were asked for and do not hold, or only in part; empty when all hold
public record Enforcement(List<Enforced> enforced, List<Gap> gaps) {
    public Enforcement {
        enforced = List.copyOf(enforced);
        gaps = List.copyOf(gaps);
    }

    /// A limit that holds.
    ///
    /// @param limit the name in [Limits], or a layer such as `landlock`
    /// @param mechanism e.g. `cgroup v1 pids.max`, `RLIMIT_FSIZE`, `tmpfs size`
    /// @param value the effective figure with its unit
    public record Enforced(String limit, String mechanism, String value) {}

    /// A limit that does not hold.
    ///
    /// @param remedy what a person can do so that it does
    public record Gap(String limit, String reason, String remedy) {}
}
