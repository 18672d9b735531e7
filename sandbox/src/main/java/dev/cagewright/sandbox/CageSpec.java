package dev.cagewright.sandbox;

import dev.cagewright.policy.action.ByteString;
import java.util.HashSet;
import java.util.List;

/// Everything that is true for a cage from its first process on.
///
/// @param id names the cage in logs and control groups: `[a-z0-9-]`, 1 to 48 characters
/// @param workspace mounted at its own absolute path
/// @param mounts more places, in any order; two at the same place are refused
/// @param diversions places whose writes go elsewhere, at most one a place
/// @param masks protected paths of the workspace, in any order
/// @param hostname what the workload sees as the machine's name, `[A-Za-z0-9-]`, 1 to 63 characters
public record CageSpec(
        String id,
        HostDirectory workspace,
        List<Mount> mounts,
        List<Diversion> diversions,
        List<Mask> masks,
        ExecRights exec,
        Limits limits,
        NetAccess netCell,
        String hostname) {
    /// Whether the cage gets a [NetCell].
    public enum NetAccess {
        /// Nothing listens and nothing leaves: every connection fails at once.
        NONE,
        /// Every connection and every question to port 53 ends at descriptors that the supervisor holds.
        REQUESTED
    }

    public CageSpec {
        mounts = List.copyOf(mounts);
        diversions = List.copyOf(diversions);
        masks = List.copyOf(masks);
        requireName("id", id, "[a-z0-9-]{1,48}");
        requireName("hostname", hostname, "[A-Za-z0-9-]{1,63}");
        requireDistinct(workspace, mounts);
        requireWritable(diversions, workspace, mounts);
    }

    /// A cage around `workspace` with no other mounts, no masks, no network and the default limits.
    public static CageSpec of(String id, HostDirectory workspace) {
        return new CageSpec(
                id,
                workspace,
                List.of(),
                List.of(),
                List.of(),
                new ExecRights.Everything(),
                Limits.DEFAULT,
                NetAccess.NONE,
                "cage");
    }

    private static void requireName(String what, String value, String pattern) {
        if (!value.matches(pattern)) {
            throw new IllegalArgumentException(what + ": " + ByteString.of(value) + " (expected: " + pattern + ")");
        }
    }

    private static void requireWritable(List<Diversion> diversions, HostDirectory workspace, List<Mount> mounts) {
        var places = new HashSet<ByteString>();
        if (workspace.access() == Access.READ_WRITE) {
            places.add(workspace.path());
        }
        mounts.stream()
                .filter(mount -> mount.access() == Access.READ_WRITE && mount.source() instanceof Mount.HostPath)
                .forEach(mount -> places.add(ByteString.of(mount.at().value())));
        for (var diversion : diversions) {
            if (!places.remove(diversion.at())) {
                throw new IllegalArgumentException("diversion: " + diversion.at()
                        + " (expected: the workspace or a mount of the host's, writable, once)");
            }
        }
    }

    private static void requireDistinct(HostDirectory workspace, List<Mount> mounts) {
        var places = new HashSet<ByteString>();
        places.add(workspace.path());
        for (var mount : mounts) {
            if (!places.add(ByteString.of(mount.at().value()))) {
                throw new IllegalArgumentException("mounts: " + mount.at() + " twice (expected: one mount a place)");
            }
        }
    }

    public CageSpec withId(String changed) {
        return new CageSpec(changed, workspace, mounts, diversions, masks, exec, limits, netCell, hostname);
    }

    public CageSpec withMounts(List<Mount> changed) {
        return new CageSpec(id, workspace, changed, diversions, masks, exec, limits, netCell, hostname);
    }

    public CageSpec withDiversions(List<Diversion> changed) {
        return new CageSpec(id, workspace, mounts, changed, masks, exec, limits, netCell, hostname);
    }

    public CageSpec withMasks(List<Mask> changed) {
        return new CageSpec(id, workspace, mounts, diversions, changed, exec, limits, netCell, hostname);
    }

    public CageSpec withExec(ExecRights changed) {
        return new CageSpec(id, workspace, mounts, diversions, masks, changed, limits, netCell, hostname);
    }

    public CageSpec withLimits(Limits changed) {
        return new CageSpec(id, workspace, mounts, diversions, masks, exec, changed, netCell, hostname);
    }

    public CageSpec withNetCell(NetAccess changed) {
        return new CageSpec(id, workspace, mounts, diversions, masks, exec, limits, changed, hostname);
    }
}
