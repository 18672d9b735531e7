package dev.cagewright.secrets.value;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.function.Function;

/// The bytes of one secret: 1 to 65,536 of them, none a carriage return, a line feed or NUL. Never text, never printed,
/// never serialised, equal to nothing but itself. Owned by whoever closes it; after [#close] every use fails. Safe for
/// all
/// threads.
public final class SecretValue implements AutoCloseable {
    /// The most bytes of a value.
    public static final int MOST = 65_536;

    private final byte[] bytes;
    private boolean isClosed;

    private SecretValue(byte[] bytes) {
        this.bytes = bytes;
    }

    /// Copies `bytes`; the caller wipes its own.
    ///
    /// @throws IllegalArgumentException if there are none, too many, or one that no header line can carry; the
    ///     message never shows any of them
    public static SecretValue copyOf(byte[] bytes) {
        if (bytes.length == 0 || bytes.length > MOST) {
            throw new IllegalArgumentException(
                    "the secret has " + bytes.length + " bytes (expected: 1 to " + MOST + ")");
        }
        for (byte each : bytes) {
            if (each == '\r' || each == '\n' || each == 0) {
                throw new IllegalArgumentException(
                        "the secret has a carriage return, a line feed or NUL in it (expected: none; the line feed at"
                                + " the end of a line is no part of the value)");
            }
        }
        return new SecretValue(bytes.clone());
    }

    public int length() {
        return bytes.length;
    }

    /// Copies the value to `target` from `at` on.
    ///
    /// @throws IllegalStateException after [#close]
    public synchronized void copyTo(byte[] target, int at) {
        requireOpen();
        System.arraycopy(bytes, 0, target, at, bytes.length);
    }

    /// Lends a copy that is wiped when `use` returns, so nothing may keep it.
    ///
    /// @throws IllegalStateException after [#close]
    public <T> T lend(Function<byte[], T> use) {
        var copy = new byte[bytes.length];
        copyTo(copy, 0);
        try {
            return use.apply(copy);
        } finally {
            Arrays.fill(copy, (byte) 0);
        }
    }

    /// Are these the same bytes? Takes as long for wrong ones as for right ones.
    public boolean matches(byte[] others) {
        return lend(own -> MessageDigest.isEqual(own, others));
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("the secret was wiped");
        }
    }

    /// Wipes the value.
    @Override
    public synchronized void close() {
        isClosed = true;
        Arrays.fill(bytes, (byte) 0);
    }

    /// The same words for every secret.
    @Override
    public String toString() {
        return "(a secret)";
    }
}
