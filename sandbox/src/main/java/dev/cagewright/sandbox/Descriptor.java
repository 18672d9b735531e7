package dev.cagewright.sandbox;

import dev.cagewright.sandbox.kernel.FileControl;
import java.util.concurrent.atomic.AtomicInteger;

/// An open file descriptor with one owner. Safe for all threads; closing is idempotent.
public final class Descriptor implements AutoCloseable {
    private static final int GONE = -1;

    private final AtomicInteger number;

    /// Takes over `number`.
    public Descriptor(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("descriptor: " + number + " (expected: not negative)");
        }
        this.number = new AtomicInteger(number);
    }

    /// The number, for one call; it stays this object's.
    ///
    /// @throws IllegalStateException if it was closed or handed on
    public int number() {
        int open = number.get();
        if (open == GONE) {
            throw new IllegalStateException("descriptor is closed");
        }
        return open;
    }

    /// Hands the descriptor on: the caller closes it from now on.
    ///
    /// @throws IllegalStateException if it was closed or handed on before
    public int detach() {
        int open = number.getAndSet(GONE);
        if (open == GONE) {
            throw new IllegalStateException("descriptor is closed");
        }
        return open;
    }

    @Override
    public void close() {
        int open = number.getAndSet(GONE);
        if (open != GONE) {
            FileControl.close(open);
        }
    }
}
