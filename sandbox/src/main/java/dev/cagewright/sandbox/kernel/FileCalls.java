package dev.cagewright.sandbox.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.time.Instant;

/// Calls on an open regular file: its holes, its size, its times, its owner.
public final class FileCalls {
    private static final int SEEK_SET = 0;
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;
    private static final int ENXIO = 6;
    private static final int ENOTTY = 25;
    private static final long UTIME_OMIT = 0x3ffffffe;

    /// linux/fs.h, `_IOW(0x94, 9, int)`; the same on every architecture that this product runs on.
    private static final int FICLONE = 0x40049409;

    private static final CFunction IOCTL = CFunction.ofInt("ioctl");
    private static final CFunction LSEEK = CFunction.ofLong("lseek");
    private static final CFunction FTRUNCATE = CFunction.ofInt("ftruncate");
    private static final CFunction FUTIMENS = CFunction.ofInt("futimens");
    private static final CFunction FCHOWN = CFunction.ofInt("fchown");

    private FileCalls() {}

    public static void seek(int file, long to) throws KernelException {
        KernelException.check(LSEEK.call(file, to, SEEK_SET), "lseek");
    }

    /// Where the next bytes begin that are no hole, from `from` on; `size` when there are none.
    public static long nextData(int file, long from, long size) throws KernelException {
        long found = LSEEK.call(file, from, SEEK_DATA);
        if (found == -ENXIO) {
            return size;
        }
        return found == -Errno.EINVAL ? from : Math.min(size, KernelException.check(found, "lseek(SEEK_DATA)"));
    }

    /// Where the next hole begins, from `from` on; `size` when there is none.
    public static long nextHole(int file, long from, long size) throws KernelException {
        long found = LSEEK.call(file, from, SEEK_HOLE);
        return found == -Errno.EINVAL ? size : Math.min(size, KernelException.check(found, "lseek(SEEK_HOLE)"));
    }

    /// Lets `file` share all blocks of `source` until one of them is written, ioctl_ficlone(2). False where the file
    /// system cannot, and for files of two file systems.
    public static boolean share(int file, int source) throws KernelException {
        long result = IOCTL.call(file, FICLONE, source);
        if (result == -Errno.EOPNOTSUPP || result == -Errno.EXDEV || result == -Errno.EINVAL || result == -ENOTTY) {
            return false;
        }
        KernelException.check(result, "ioctl(FICLONE)");
        return true;
    }

    public static void resize(int file, long size) throws KernelException {
        KernelException.check(FTRUNCATE.call(file, size), "ftruncate(" + size + ")");
    }

    /// Sets when the bytes changed last; the time of the last reading stays.
    public static void setModified(int file, Instant time) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            var times = arena.allocate(32, 8);
            times.set(ValueLayout.JAVA_LONG, 8, UTIME_OMIT);
            times.set(ValueLayout.JAVA_LONG, 16, time.getEpochSecond());
            times.set(ValueLayout.JAVA_LONG, 24, time.getNano());
            KernelException.check(FUTIMENS.call(file, times.address()), "futimens");
        }
    }

    public static void give(int file, int owner, int group) throws KernelException {
        KernelException.check(FCHOWN.call(file, owner, group), "fchown(" + owner + ", " + group + ")");
    }
}
