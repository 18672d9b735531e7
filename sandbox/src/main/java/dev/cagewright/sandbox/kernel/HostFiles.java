package dev.cagewright.sandbox.kernel;

import dev.cagewright.policy.action.ByteString;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/// Files of the host by the bytes of their names: the JDK cannot name a file whose bytes are not text.
public final class HostFiles {
    private static final CFunction OPEN = CFunction.ofInt("open");
    private static final CFunction READLINK = CFunction.ofLong("readlink");
    private static final CFunction STATX = CFunction.ofInt("statx");

    private static final int O_PATH = 010000000;
    static final int AT_FDCWD = -100;
    static final int AT_SYMLINK_NOFOLLOW = 0x100;
    static final int STATX_BASIC_STATS = 0x7ff;
    private static final int PATH_MAX = 4096;

    /// Offsets in `struct statx`, linux/stat.h; the same on every architecture.
    private static final long STX_UID = 20;

    private static final long STX_GID = 24;
    private static final long STX_MODE = 28;
    private static final long STX_INO = 32;
    private static final long STX_DEV_MAJOR = 136;
    private static final long STX_DEV_MINOR = 140;
    static final long STX_SIZE = 256;

    private HostFiles() {}

    /// The absolute path of what `path` leads to, all links followed.
    ///
    /// @throws KernelException if it leads nowhere
    public static ByteString canonical(ByteString path) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            long opened = OPEN.call(text(arena, path).address(), O_PATH | FileControl.O_CLOEXEC, 0);
            int descriptor = (int) KernelException.check(opened, "open", path);
            try {
                return linkTarget(ByteString.of("/proc/self/fd/" + descriptor));
            } finally {
                FileControl.close(descriptor);
            }
        }
    }

    /// The text of the symbolic link at `path`.
    public static ByteString linkTarget(ByteString path) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            var target = arena.allocate(PATH_MAX);
            return textOf(target, KernelException.check(readLink(arena, path, target), "readlink", path));
        }
    }

    /// The same, or empty when there is no link that can be read.
    public static Optional<ByteString> linkIfAny(ByteString path) {
        try (var arena = Arena.ofConfined()) {
            var target = arena.allocate(PATH_MAX);
            long size = readLink(arena, path, target);
            return size < 0 ? Optional.empty() : Optional.of(textOf(target, size));
        }
    }

    private static long readLink(Arena arena, ByteString path, MemorySegment target) {
        return READLINK.call(text(arena, path).address(), target.address(), PATH_MAX);
    }

    private static ByteString textOf(MemorySegment target, long size) {
        return ByteString.copyOf(target.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE));
    }

    /// What stands at `path` itself; a link at the end is not followed.
    public static FileStatus status(ByteString path) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(STX_SIZE, 8);
            long result = STATX.call(
                    AT_FDCWD, text(arena, path).address(), AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, buffer.address(), 0);
            KernelException.check(result, "statx", path);
            return read(buffer);
        }
    }

    static FileStatus read(MemorySegment buffer) {
        long major = Integer.toUnsignedLong(buffer.get(ValueLayout.JAVA_INT, STX_DEV_MAJOR));
        long minor = Integer.toUnsignedLong(buffer.get(ValueLayout.JAVA_INT, STX_DEV_MINOR));
        return new FileStatus(
                deviceNumber(major, minor),
                buffer.get(ValueLayout.JAVA_LONG, STX_INO),
                Short.toUnsignedInt(buffer.get(ValueLayout.JAVA_SHORT, STX_MODE)),
                buffer.get(ValueLayout.JAVA_INT, STX_UID),
                buffer.get(ValueLayout.JAVA_INT, STX_GID));
    }

    /// As `makedev(3)` of glibc and musl.
    static long deviceNumber(long major, long minor) {
        return (minor & 0xff) | ((major & 0xfff) << 8) | ((minor & ~0xffL) << 12) | ((major & ~0xfffL) << 32);
    }

    static MemorySegment text(Arena arena, ByteString path) {
        var bytes = path.toByteArray();
        var segment = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return segment;
    }
}
