package dev.cagewright.sandbox;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.kernel.HostFiles;
import dev.cagewright.sandbox.kernel.KernelException;

/// A directory of the host, identified by the object that was opened and not by its name alone: a
/// runtime refuses it when another object stands there later.
///
/// @param path canonical: absolute, no links, no `.` or `..`
/// @param identity what stood there when it was opened
public record HostDirectory(ByteString path, Identity identity, Access access) {
    /// Opens `path`, follows its links once, and remembers what it found.
    ///
    /// @throws ConfinementException if there is no such directory
    public static HostDirectory open(ByteString path, Access access) throws ConfinementException {
        try {
            var canonical = HostFiles.canonical(path);
            var status = HostFiles.status(canonical);
            if (!status.isDirectory()) {
                throw new ConfinementException(
                        "workspace",
                        "open(" + path + ")",
                        "Not a directory",
                        "name an existing directory as the workspace");
            }
            var identity = new Identity(status.device(), status.inode(), status.owner(), status.group());
            return new HostDirectory(canonical, identity, access);
        } catch (KernelException e) {
            throw ConfinementException.of("workspace", e, "name an existing, readable directory as the workspace");
        }
    }

    /// Which object a path led to.
    ///
    /// @param device the file system, as in `st_dev` of stat(2)
    /// @param owner the host's user number
    /// @param group the host's group number
    public record Identity(long device, long inode, int owner, int group) {}
}
