package dev.cagewright.sandbox;

import dev.cagewright.policy.action.ByteString;

/// Where the writes of one place go, so that the host's directory there stays as it is.
///
/// @param at the place as the cage sees it: the workspace's path or that of a mount, with write access; others are
///     refused
/// @param folder of the host; outside of what stands at the place
public record Diversion(ByteString at, Kind kind, HostDirectory folder) {
    /// How a place is diverted.
    public enum Kind {
        /// `folder` holds two directories of one file system, `upper` and `work`: the layers of an overlay above what
        /// stands at the place. `upper` has the owner and the permissions that its top shall have.
        OVERLAY,
        /// `folder` itself is shown at the place, instead of what stands there.
        REPLACEMENT
    }
}
