package dev.cagewright.supervisor.session;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.document.Mount.Source;
import dev.cagewright.policy.document.Mount.Source.HostPath;
import dev.cagewright.policy.document.Mount.Source.SessionCopy;
import dev.cagewright.policy.document.Mount.Source.Tmpfs;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Mount;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Where things stand in a cage: a policy's mounts with `/workspace` replaced by the workspace's own path,
/// at which the workload sees it.
///
/// @param workspace what the policy grants of the workspace; empty when it does not mention it
/// @param mounts everything else
record CageLayout(Optional<Access> workspace, List<Mount> mounts) {
    /// The policy's word for the directory that the caller works in.
    static final GuestPath WORKSPACE = new GuestPath("/workspace");

    private static final long TMPFS_BYTES = 1L << 30;

    /// @param directory the workspace's canonical path
    /// @throws ConfinementException if a mount asks for something that this version does not have
    static CageLayout of(List<dev.cagewright.policy.document.Mount> policy, GuestPath directory)
            throws ConfinementException {
        Optional<Access> workspace = Optional.empty();
        var mounts = new ArrayList<Mount>();
        for (var mount : policy) {
            if (mount.source() instanceof SessionCopy) {
                throw new ConfinementException(
                        "mounts",
                        "source: session-copy at " + mount.path(),
                        "session copies are not available in this version",
                        "use source-less mode: ro or rw for " + mount.path());
            }
            if (mount.path().equals(WORKSPACE)) {
                requireCallers(mount.source(), directory);
                workspace = Optional.of(access(mount.mode()));
            } else {
                mounts.add(new Mount(placed(mount.path(), directory), source(mount.source()), access(mount.mode())));
            }
        }
        return new CageLayout(workspace, List.copyOf(mounts));
    }

    /// The host's directories among the mounts that `access` lets the workload use.
    List<Path> directories(Access wanted) {
        return mounts.stream()
                .filter(mount -> mount.access() == wanted)
                .map(mount -> Path.of(mount.at().value()))
                .toList();
    }

    private static void requireCallers(Source source, GuestPath directory) throws ConfinementException {
        boolean callers = source instanceof HostPath(String path)
                && (path.equals(WORKSPACE.value()) || path.equals(directory.value()));
        if (!callers) {
            throw new ConfinementException(
                    "mounts",
                    "source: " + source + " at " + WORKSPACE,
                    "the workspace is the directory that the run was given",
                    "leave the source out and name the directory with --workspace, or mount it elsewhere");
        }
    }

    private static GuestPath placed(GuestPath path, GuestPath directory) {
        if (!path.isWithin(WORKSPACE) || path.equals(WORKSPACE)) {
            return path;
        }
        return directory.child(path.value().substring(WORKSPACE.value().length() + 1));
    }

    private static Mount.Source source(Source source) {
        return switch (source) {
            case HostPath(String path) -> new Mount.HostPath(ByteString.of(path));
            case Tmpfs _ -> new Mount.Tmpfs(TMPFS_BYTES);
            case SessionCopy _ -> throw new IllegalStateException("session copy: not replaced (expected: before)");
        };
    }

    private static Access access(dev.cagewright.policy.document.Mount.Access access) {
        return switch (access) {
            case RO -> Access.READ_ONLY;
            case RW -> Access.READ_WRITE;
        };
    }
}
