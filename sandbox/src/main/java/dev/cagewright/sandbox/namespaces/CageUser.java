package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.FileIdentity;
import dev.cagewright.sandbox.kernel.Processes;

/// Who the workload is on the host: never root, always somebody who may write the workspace.
///
/// @param supervisor as root, the helper opens files and writes the maps with root's rights
record CageUser(int uid, int gid, Power supervisor) {
    enum Power {
        ORDINARY,
        ROOT
    }

    /// Stands for root when root owns the workspace: no account of any distribution, and not 65534, which
    /// is what unmapped users look like.
    private static final int STAND_IN = 65_533;

    /// The user for a workspace of this owner. An ordinary user stays who they are.
    static CageUser ownerOf(FileIdentity workspace) {
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
    boolean mustBeMappedFor(FileIdentity tree) {
        return byRoot() && tree.owner() != uid;
    }

    boolean byRoot() {
        return supervisor == Power.ROOT;
    }
}
