package dev.cagewright.sandbox.namespaces;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.kernel.HostFiles;
import dev.cagewright.sandbox.kernel.KernelException;
import dev.cagewright.sandbox.namespaces.tree.CageUser;
import dev.cagewright.sandbox.namespaces.tree.Entry;
import dev.cagewright.sandbox.namespaces.tree.FileTree;
import dev.cagewright.sandbox.namespaces.tree.MountTable;
import java.util.List;
import java.util.Optional;

/// What the host has, at one moment, of what a specification names.
///
/// @param workspace the object that stands at its path
/// @param tree the steps that would build the cage now, with the objects they are about
/// @param mounts all of the host
record HostView(HostDirectory.Identity workspace, List<Entry> tree, MountTable mounts) {
    static HostView of(CageSpec spec) throws ConfinementException {
        var tree = FileTree.of(spec, CageUser.ownerOf(spec.workspace().identity()));
        return new HostView(identity(spec.workspace().path()), tree, MountTable.of("self"));
    }

    private static HostDirectory.Identity identity(ByteString path) throws ConfinementException {
        try {
            var status = HostFiles.status(path);
            return new HostDirectory.Identity(status.device(), status.inode(), status.owner(), status.group());
        } catch (KernelException e) {
            throw Refusals.of("workspace", e, "name an existing directory as the workspace");
        }
    }

    /// What is different now, in words; empty when nothing is.
    Optional<String> changeSince(HostView now) {
        if (!workspace.equals(now.workspace())) {
            return Optional.of("another object stands at the workspace's path");
        }
        if (!tree.equals(now.tree())) {
            return Optional.of("a place that is mounted into it leads elsewhere");
        }
        if (!mounts.equals(now.mounts())
                && !mounts.around(tree).equals(now.mounts().around(tree))) {
            return Optional.of("something was mounted on the host, or unmounted, where it looks");
        }
        return Optional.empty();
    }
}
