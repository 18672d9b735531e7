package dev.cagewright.policy.document;

import dev.cagewright.policy.quantity.Field;
import java.util.Locale;

/// How far a cage stands from the host, weakest first; the order is the order of strength.
public enum Isolation {
    /// Landlock, seccomp and limits around an ordinary process; for hosts without user namespaces.
    PROCESS,
    /// Kernel namespaces; accepted names `namespaces`, `tier0`.
    NAMESPACES,
    /// A kernel in user space; accepted names `gvisor`, `tier1`.
    GVISOR,
    /// A kernel of its own under KVM; accepted names `microvm`, `tier2`, `firecracker`.
    MICROVM;

    /// Reads one of the accepted spellings.
    ///
    /// @throws IllegalArgumentException naming `field` and the accepted names
    public static Isolation parse(String field, String text) {
        return switch (text) {
            case "process" -> PROCESS;
            case "namespaces", "tier0" -> NAMESPACES;
            case "gvisor", "tier1" -> GVISOR;
            case "microvm", "tier2", "firecracker" -> MICROVM;
            default ->
                throw Field.refusal(
                        field,
                        text,
                        "process, namespaces, gvisor or microvm; also tier0, tier1, tier2 and firecracker");
        };
    }

    public boolean isAtLeast(Isolation required) {
        return compareTo(required) >= 0;
    }

    /// The name in policy files, e.g. `namespaces`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
