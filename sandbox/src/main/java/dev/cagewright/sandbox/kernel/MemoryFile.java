package dev.cagewright.sandbox.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/// A file that exists only as a descriptor, memfd_create(2).
public final class MemoryFile {
    private static final int MFD_CLOEXEC = 1;

    /// Since Linux 6.3; older kernels refuse the flag and need none.
    private static final int MFD_EXEC = 0x10;

    private static final CFunction MEMFD_CREATE = CFunction.ofInt("memfd_create");

    private MemoryFile() {}

    /// A file with `content` that can be executed; the caller owns the descriptor.
    public static int executable(String name, byte[] content) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            long address = arena.allocateFrom(name).address();
            long created = MEMFD_CREATE.call(address, MFD_CLOEXEC | MFD_EXEC);
            if (created == -Errno.EINVAL) {
                created = MEMFD_CREATE.call(address, MFD_CLOEXEC);
            }
            return fill((int) KernelException.check(created, "memfd_create(" + name + ")"), content);
        }
    }

    /// A file with `content`; the caller owns the descriptor.
    public static int of(String name, byte[] content) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            long created = MEMFD_CREATE.call(arena.allocateFrom(name).address(), MFD_CLOEXEC);
            return fill((int) KernelException.check(created, "memfd_create(" + name + ")"), content);
        }
    }

    private static int fill(int descriptor, byte[] content) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            FileControl.writeFully(descriptor, arena.allocateFrom(ValueLayout.JAVA_BYTE, content));
            return descriptor;
        } catch (KernelException e) {
            FileControl.close(descriptor);
            throw e;
        }
    }
}
