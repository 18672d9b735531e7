package dev.cagewright.sandbox.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/// Reading, writing and closing descriptors.
public final class FileControl {
    /// Octal 02000000 on every architecture that this product runs on, asm-generic/fcntl.h.
    static final int O_CLOEXEC = 02000000;

    private static final int O_WRONLY = 1;
    private static final CFunction OPEN = CFunction.ofInt("open");
    private static final CFunction CLOSE = CFunction.ofInt("close");
    private static final CFunction READ = CFunction.ofLong("read");
    private static final CFunction WRITE = CFunction.ofLong("write");
    private static final CFunction PIPE2 = CFunction.ofInt("pipe2");
    private static final CFunction EVENTFD = CFunction.ofInt("eventfd");
    private static final int EFD_NONBLOCK = 04000;

    /// asm-generic/ioctls.h.
    private static final int FIONREAD = 0x541B;

    private static final CFunction IOCTL = CFunction.ofInt("ioctl");
    private static final CFunction FCNTL = CFunction.ofInt("fcntl");
    private static final int F_DUPFD_CLOEXEC = 1030;

    private FileControl() {}

    /// Two ends of something.
    public record Ends(int reading, int writing) {}

    /// Closes `descriptor`; whatever close(2) answers, it is closed on Linux.
    public static void close(int descriptor) {
        CLOSE.call(descriptor);
    }

    /// Reads what is there, at least one byte, into `buffer`; 0 at the end.
    public static int read(int descriptor, MemorySegment buffer) throws KernelException {
        while (true) {
            long count = READ.call(descriptor, buffer.address(), buffer.byteSize());
            if (count != -Errno.EINTR) {
                return (int) KernelException.check(count, "read");
            }
        }
    }

    /// Writes some of `buffer` and says how many bytes.
    public static int write(int descriptor, MemorySegment buffer) throws KernelException {
        while (true) {
            long count = WRITE.call(descriptor, buffer.address(), buffer.byteSize());
            if (count != -Errno.EINTR) {
                return (int) KernelException.check(count, "write");
            }
        }
    }

    /// Writes all of `buffer`.
    public static void writeFully(int descriptor, MemorySegment buffer) throws KernelException {
        long done = 0;
        while (done < buffer.byteSize()) {
            done += write(descriptor, buffer.asSlice(done));
        }
    }

    /// A new pipe; the caller owns both ends.
    public static Ends pipe() throws KernelException {
        try (var arena = Arena.ofConfined()) {
            var ends = arena.allocate(ValueLayout.JAVA_INT, 2);
            KernelException.check(PIPE2.call(ends.address(), O_CLOEXEC), "pipe2");
            return new Ends(ends.getAtIndex(ValueLayout.JAVA_INT, 0), ends.getAtIndex(ValueLayout.JAVA_INT, 1));
        }
    }

    /// A new event counter for waking a poll; the caller owns it.
    public static int eventCounter() throws KernelException {
        return (int) KernelException.check(EVENTFD.call(0, O_CLOEXEC | EFD_NONBLOCK), "eventfd");
    }

    /// Another descriptor for the same open file; the caller owns it.
    public static int duplicate(int descriptor) throws KernelException {
        return (int) KernelException.check(FCNTL.call(descriptor, F_DUPFD_CLOEXEC, 0), "fcntl(F_DUPFD_CLOEXEC)");
    }

    /// How many bytes of a pipe can be read now; 0 when that cannot be told.
    public static int available(int descriptor) {
        try (var arena = Arena.ofConfined()) {
            var count = arena.allocate(ValueLayout.JAVA_INT);
            return control(descriptor, FIONREAD, count) ? count.get(ValueLayout.JAVA_INT, 0) : 0;
        }
    }

    /// Asks the device behind `descriptor`, ioctl(2); false when it refuses or does not know the request.
    public static boolean control(int descriptor, long request, MemorySegment argument) {
        return IOCTL.call(descriptor, request, argument.address()) >= 0;
    }

    /// Writes `text` to an existing file of the kernel's, which takes it whole or not at all.
    ///
    /// @throws KernelException if there is no such file, or the kernel does not take it
    public static void overwrite(Path file, String text) throws KernelException {
        int descriptor = openForWriting(file);
        try (var arena = Arena.ofConfined()) {
            var bytes = arena.allocateFrom(text);
            write(descriptor, bytes.asSlice(0, bytes.byteSize() - 1));
        } finally {
            close(descriptor);
        }
    }

    /// An existing file for writing; the caller owns the descriptor.
    public static int openForWriting(Path file) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            long opened = OPEN.call(arena.allocateFrom(file.toString()).address(), O_WRONLY | O_CLOEXEC, 0);
            return (int) KernelException.check(opened, "open", file);
        }
    }
}
