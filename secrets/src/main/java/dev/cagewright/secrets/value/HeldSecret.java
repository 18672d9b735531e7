package dev.cagewright.secrets.value;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A secret as one session holds it: its name in the policy, the value outside, and the decoy that stands for it in the
/// cage. A decoy is not secret: it is ASCII, at least [#LEAST_DECOY] long, and worth nothing anywhere. Safe for all
/// threads.
public final class HeldSecret implements AutoCloseable {
    /// The shortest decoy: shorter ones would be met by chance.
    public static final int LEAST_DECOY = 16;

    private final String name;
    private final byte[] decoy;
    private final SecretValue value;

    /// @param value from now on owned by this
    /// @throws IllegalArgumentException if the decoy is too short, not printable ASCII, or the value itself
    public HeldSecret(String name, byte[] decoy, SecretValue value) {
        this.name = name;
        this.decoy = decoy.clone();
        this.value = value;
        if (decoy.length < LEAST_DECOY) {
            throw new IllegalArgumentException("the decoy of " + name + " has " + decoy.length
                    + " bytes (expected: at least " + LEAST_DECOY + ")");
        }
        for (byte each : decoy) {
            if (each <= ' ' || each > '~') {
                throw new IllegalArgumentException("the decoy of " + name + " is not printable ASCII");
            }
        }
        if (value.matches(decoy)) {
            throw new IllegalArgumentException("the decoy of " + name + " is the value itself");
        }
    }

    /// The secret's name, as `credentials.name` has it.
    public String name() {
        return name;
    }

    /// The bytes that stand in the cage; a copy.
    public byte[] decoy() {
        return decoy.clone();
    }

    /// [#decoy] as text.
    public String decoyText() {
        return new String(decoy, StandardCharsets.US_ASCII);
    }

    public SecretValue value() {
        return value;
    }

    /// Wipes the value.
    @Override
    public void close() {
        value.close();
        Arrays.fill(decoy, (byte) 0);
    }

    @Override
    public String toString() {
        return "(the secret " + name + ")";
    }
}
