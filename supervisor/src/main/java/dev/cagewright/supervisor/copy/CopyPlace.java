package dev.cagewright.supervisor.copy;

import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.sandbox.HostDirectory;

/// A directory of the host that a cage shall work on by copy.
///
/// @param at where the workload sees it
/// @param source what stands there on the host
public record CopyPlace(GuestPath at, HostDirectory source) {}
