package dev.cagewright.sandbox.namespaces.tree;

import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.kernel.Processes;

/// Who the workload is on the host: never root, always somebody who may write the workspace.
///
/// @param supervisor as root, the helper opens files and writes the maps with root's rights
public record CageUser(int uid, int gid, Power supervisor) {
    public enum Power {
        ORDINARY,
        ROOT
    }

    /// Stands for root when root owns the workspace: no account of any distribution, and not 65534, which
    /// is what unmapped users look like.
    private static final int STAND_IN = 65_533;

    /// The user for a workspace of this owner. An ordinary user stays who they are.
    public static CageUser ownerOf(HostDirectory.Identity workspace) {
        int user = Processes.effectiveUser();
        if (user != 0) {
            return new CageUser(user, Processes.effectiveGroup(), Power.ORDINARY);
        }
        if (workspace.owner() == 0) {
            return new CageUser(STAND_IN, STAND_IN, Power.ROOT);
        }
        int group = workspace.group() == 0 ? workspace.owner() : workspace.group();
        return new CageUser(workspace.owner(), group, Power.ROOT);
    }

    /// Does a writable tree of this owner have to be shown as this user's?
    boolean mustBeMappedFor(HostDirectory.Identity tree) {
        return byRoot() && tree.owner() != uid;
    }

    public boolean byRoot() {
        return supervisor == Power.ROOT;
    }
}
