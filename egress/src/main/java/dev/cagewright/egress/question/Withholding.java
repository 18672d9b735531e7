package dev.cagewright.egress.question;

import java.util.concurrent.atomic.AtomicLong;

/// How many bytes of bodies one cage has kept back, all its connections together. Safe for all threads.
public final class Withholding {
    /// The most of one body, bytes.
    public static final int MOST_OF_ONE = 1 << 20;

    /// The most of all of them together, bytes.
    static final long MOST = 32L << 20;

    private final AtomicLong held = new AtomicLong();

    /// With nothing.
    public Withholding() {}

    /// Counts `bytes` more, or says that there is no room for them.
    boolean take(int bytes) {
        if (held.addAndGet(bytes) <= MOST) {
            return true;
        }
        held.addAndGet(-bytes);
        return false;
    }

    void give(long bytes) {
        held.addAndGet(-bytes);
    }
}
