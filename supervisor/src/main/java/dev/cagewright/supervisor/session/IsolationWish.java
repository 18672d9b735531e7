package dev.cagewright.supervisor.session;

import dev.cagewright.policy.document.Isolation;
import java.util.Optional;
import java.util.Set;

/// How far from the host a caller wants the program, and how far this host can put it.
///
/// @param asked by the caller; absent for whatever the policy asks
/// @param offered by this host
/// @param consent whether the caller gave isolation up by name
public record IsolationWish(Optional<Isolation> asked, Set<Isolation> offered, Consent consent) {
    /// Whether a run without any isolation is what the caller wants.
    public enum Consent {
        /// The usual: in a cage, or not at all.
        CAGE_ONLY,
        /// `--unsafe-no-isolation`.
        NO_ISOLATION
    }

    /// Whatever the policy asks, on a host that has namespaces.
    public static final IsolationWish CAGE =
            new IsolationWish(Optional.empty(), Set.of(Isolation.NAMESPACES), Consent.CAGE_ONLY);

    public IsolationWish {
        offered = Set.copyOf(offered);
    }
}
