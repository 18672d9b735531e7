package dev.cagewright.sandbox.kernel;

import java.lang.foreign.MemorySegment;
import java.util.Locale;

/// Error numbers of errno(3), the ones that need names here, and the C library's words for all.
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EAGAIN = 11;
    public static final int EACCES = 13;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int EXDEV = 18;
    public static final int ENOTDIR = 20;
    public static final int ERANGE = 34;
    public static final int ENOTEMPTY = 39;
    public static final int ELOOP = 40;
    public static final int ENODATA = 61;
    public static final int EINVAL = 22;
    public static final int EMFILE = 24;
    public static final int EPIPE = 32;
    public static final int ETIMEDOUT = 110;
    public static final int ECONNREFUSED = 111;
    public static final int EINPROGRESS = 115;
    public static final int ENOSPC = 28;
    public static final int EIO = 5;
    public static final int EUSERS = 87;
    public static final int ENOSYS = 38;
    public static final int EOPNOTSUPP = 95;

    private static final CFunction STRERROR = CFunction.ofLong("strerror");

    private Errno() {}

    /// e.g. `Permission denied`.
    public static String words(int errno) {
        long text = STRERROR.call(errno);
        return text <= 0 ? String.format(Locale.ROOT, "error %d", errno) : read(text);
    }

    @SuppressWarnings("restricted")
    private static String read(long address) {
        return MemorySegment.ofAddress(address).reinterpret(256).getString(0);
    }
}
