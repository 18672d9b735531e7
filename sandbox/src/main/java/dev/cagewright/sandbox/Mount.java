package dev.cagewright.sandbox;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;

/// One more place in the cage's file tree, besides the system and the workspace.
///
/// @param at where it appears in the cage; not `/` and not below `/proc` or `/dev`
public record Mount(GuestPath at, Source source, Access access) {
    /// What is seen there.
    public sealed interface Source {}

    /// A file or directory of the host. Sockets and pipes are refused when the cage is built: a
    /// read-only mount does not stop anybody from connecting to one.
    ///
    /// @param path absolute
    public record HostPath(ByteString path) implements Source {
        public HostPath {
            if (path.size() == 0 || path.at(0) != '/' || path.contains((byte) 0)) {
                throw new IllegalArgumentException("mount source: " + path + " (expected: absolute, no NUL)");
            }
        }
    }

    /// Memory that vanishes with the cage.
    ///
    /// @param bytes its size, positive
    public record Tmpfs(long bytes) implements Source {
        public Tmpfs {
            if (bytes < 1) {
                throw new IllegalArgumentException("tmpfs size: " + bytes + " (expected: positive)");
            }
        }
    }

    public Mount {
        if (at.value().equals("/") || isKernels(at)) {
            throw new IllegalArgumentException("mount point: " + at + " (expected: not /, /proc or /dev)");
        }
    }

    private static boolean isKernels(GuestPath at) {
        return at.isWithin(new GuestPath("/proc")) || at.isWithin(new GuestPath("/dev"));
    }
}
