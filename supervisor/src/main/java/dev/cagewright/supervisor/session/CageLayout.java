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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where things stand in a cage: a policy's mounts with `/workspace` replaced by the workspace's own path,
/// at which the workload sees it.
///
/// @param workspace what the policy grants of the workspace; empty when it does not mention it
/// @param mounts everything else
/// @param copied the places among both that are worked on by copy; those that can only be read need none
record CageLayout(Optional<Access> workspace, List<Mount> mounts, List<GuestPath> copied) {
    /// The policy's word for the directory that the caller works in.
    static final GuestPath WORKSPACE = new GuestPath("/workspace");

    private static final long TMPFS_BYTES = 1L << 30;

    /// @param directory the workspace's canonical path
    /// @throws ConfinementException if a mount asks for something that this version does not have
    static CageLayout of(List<dev.cagewright.policy.document.Mount> policy, GuestPath directory)
            throws ConfinementException {
        Optional<Access> workspace = Optional.empty();
        var mounts = new ArrayList<Mount>();
        var copied = new ArrayList<GuestPath>();
        for (var mount : policy) {
            var at = mount.path().equals(WORKSPACE) ? directory : placed(mount.path(), directory);
            if (mount.source() instanceof SessionCopy && access(mount.mode()) == Access.READ_WRITE) {
                copied.add(at);
            }
            if (mount.path().equals(WORKSPACE)) {
                requireCallers(mount.source(), directory);
                workspace = Optional.of(access(mount.mode()));
            } else {
                mounts.add(new Mount(at, source(mount.source(), at), access(mount.mode())));
            }
        }
        return new CageLayout(workspace, List.copyOf(mounts), List.copyOf(copied));
    }

    /// The host's directories among the mounts that `access` lets the workload use.
    List<Path> directories(Access wanted) {
        return mounts.stream()
                .filter(mount -> mount.access() == wanted)
                .map(mount -> Path.of(mount.at().value()))
                .toList();
    }

    /// The host's directory or file by the place where the workload sees it.
    Map<Path, Path> sources() {
        var sources = new LinkedHashMap<Path, Path>();
        for (var mount : mounts) {
            if (mount.source() instanceof Mount.HostPath(ByteString path)) {
                path.utf8().ifPresent(text -> sources.put(Path.of(mount.at().value()), Path.of(text)));
            }
        }
        return sources;
    }

    private static void requireCallers(Source source, GuestPath directory) throws ConfinementException {
        boolean callers = source instanceof SessionCopy
                || (source instanceof HostPath(String path)
                        && (path.equals(WORKSPACE.value()) || path.equals(directory.value())));
        if (!callers) {
            throw new ConfinementException(
                    "mounts",
                    "source: " + source + " at " + WORKSPACE,
                    "the workspace is the directory that the run was given",
                    "leave the source out and name the directory with --workspace, or mount it elsewhere");
        }
    }

    /// Where the cage has what policies call `path`.
    static GuestPath placed(GuestPath path, GuestPath directory) {
        if (!path.isWithin(WORKSPACE) || path.equals(WORKSPACE)) {
            return path;
        }
        return directory.child(path.value().substring(WORKSPACE.value().length() + 1));
    }

    /// A copy is one of what stands at the same path of the host.
    private static Mount.Source source(Source source, GuestPath at) {
        return switch (source) {
            case HostPath(String path) -> new Mount.HostPath(ByteString.of(path));
            case Tmpfs _ -> new Mount.Tmpfs(TMPFS_BYTES);
            case SessionCopy _ -> new Mount.HostPath(ByteString.of(at.value()));
        };
    }

    private static Access access(dev.cagewright.policy.document.Mount.Access access) {
        return switch (access) {
            case RO -> Access.READ_ONLY;
            case RW -> Access.READ_WRITE;
        };
    }
}
