package dev.cagewright.sandbox.kernel;

import java.io.IOException;

/// The kernel refused a call. The message is `CALL: WORDS`, e.g. `open(/x): No such file or directory`.
public final class KernelException extends IOException {
    private static final long serialVersionUID = 1;

    private final String call;
    private final int errno;

    public KernelException(String call, int errno) {
        super(call + ": " + Errno.words(errno));
        this.call = call;
        this.errno = errno;
    }

    /// Returns `result` unless it is a negated errno.
    static long check(long result, String call) throws KernelException {
        if (result < 0) {
            throw new KernelException(call, (int) -result);
        }
        return result;
    }

    /// The same for a call about `argument`, which is put into words only for a failure.
    static long check(long result, String function, Object argument) throws KernelException {
        return result < 0 ? check(result, function + "(" + argument + ")") : result;
    }

    /// The call with its arguments.
    public String call() {
        return call;
    }

    public int errno() {
        return errno;
    }

    /// The C library's words for the error number.
    public String reason() {
        return Errno.words(errno);
    }
}
