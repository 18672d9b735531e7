package dev.cagewright.sandbox.kernel;

import dev.cagewright.policy.action.ByteString;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Instant;
import java.util.Optional;

/// All that statx(2) says about a name in a directory.
///
/// @param status type, permissions, identity and owner
/// @param deviceHere the number of the device file, 0 for others and for overlayfs's whiteouts
/// @param changed when anything about it changed last, `st_ctime`; nobody can set it
public record FileFacts(FileStatus status, long size, int links, long deviceHere, Instant modified, Instant changed) {
    private static final CFunction STATX = CFunction.ofInt("statx");

    /// Offsets in `struct statx`, linux/stat.h.
    private static final long STX_NLINK = 16;

    private static final long STX_SIZE_BYTES = 40;
    private static final long STX_CTIME = 96;
    private static final long STX_MTIME = 112;
    private static final long STX_RDEV_MAJOR = 128;
    private static final long STX_RDEV_MINOR = 132;
    private static final int AT_EMPTY_PATH = 0x1000;

    /// `name` in `directory`, a link not followed; empty if there is nothing. The empty name is the directory itself,
    /// or the file that `directory` has open.
    static Optional<FileFacts> of(int directory, ByteString name) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(HostFiles.STX_SIZE, 8);
            int flags = HostFiles.AT_SYMLINK_NOFOLLOW | (name.size() == 0 ? AT_EMPTY_PATH : 0);
            long result = STATX.call(
                    directory,
                    HostFiles.text(arena, name).address(),
                    flags,
                    HostFiles.STATX_BASIC_STATS,
                    buffer.address(),
                    0);
            if (result == -Errno.ENOENT || result == -Errno.ENOTDIR) {
                return Optional.empty();
            }
            KernelException.check(result, "statx(" + name + ")");
            return Optional.of(read(buffer));
        }
    }

    private static FileFacts read(MemorySegment buffer) {
        long major = Integer.toUnsignedLong(buffer.get(ValueLayout.JAVA_INT, STX_RDEV_MAJOR));
        long minor = Integer.toUnsignedLong(buffer.get(ValueLayout.JAVA_INT, STX_RDEV_MINOR));
        return new FileFacts(
                HostFiles.read(buffer),
                buffer.get(ValueLayout.JAVA_LONG, STX_SIZE_BYTES),
                buffer.get(ValueLayout.JAVA_INT, STX_NLINK),
                HostFiles.deviceNumber(major, minor),
                time(buffer, STX_MTIME),
                time(buffer, STX_CTIME));
    }

    private static Instant time(MemorySegment buffer, long at) {
        return Instant.ofEpochSecond(
                buffer.get(ValueLayout.JAVA_LONG, at),
                Integer.toUnsignedLong(buffer.get(ValueLayout.JAVA_INT, at + 8)));
    }
}
