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

    /// A directory of the host that the product has looked at, and that belongs to whom the workspace does: where
    /// another one stands by the time the cage is built, there is no cage. It cannot be worked on by copy.
    public record Looked(HostDirectory directory) implements Source {}

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

    /// A file that stands in the cage alone, and in no file system of the host; it can only be read.
    ///
    /// @param content at most [#MOST] bytes
    public record Text(ByteString content) implements Source {
        /// It travels with the plan of the cage.
        public static final int MOST = 16 << 10;

        public Text {
            if (content.size() > MOST) {
                throw new IllegalArgumentException(
                        "mount text: " + content.size() + " bytes (expected: at most " + MOST + ")");
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
