package dev.cagewright.secrets.store;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;

/// The key that a person's stores are sealed under: 32 random bytes. It seals nothing itself; every record has a key of
/// its own, derived with HKDF-SHA256 (RFC 5869) from this one and 16 fresh random bytes. Never text, never printed.
/// Owned by
/// whoever closes it; after [#close] every use fails. Safe for all threads.
public final class StoreKey implements AutoCloseable {
    /// Its size, bytes.
    public static final int SIZE = 32;

    private static final int ID_SIZE = 16;

    private final byte[] bytes;
    private boolean isClosed;

    private StoreKey(byte[] bytes) {
        this.bytes = bytes;
    }

    public static StoreKey random(SecureRandom random) {
        var bytes = new byte[SIZE];
        random.nextBytes(bytes);
        return new StoreKey(bytes);
    }

    /// Copies `bytes`; the caller wipes its own.
    ///
    /// @throws IllegalArgumentException if they are not [#SIZE]
    public static StoreKey copyOf(byte[] bytes) {
        if (bytes.length != SIZE) {
            throw new IllegalArgumentException("the key has " + bytes.length + " bytes (expected: " + SIZE + ")");
        }
        return new StoreKey(bytes.clone());
    }

    /// Lends a copy that is wiped when `use` returns, so nothing may keep it.
    ///
    /// @throws IllegalStateException after [#close]
    public <T> T lend(Function<byte[], T> use) {
        var copy = copied();
        try {
            return use.apply(copy);
        } finally {
            Arrays.fill(copy, (byte) 0);
        }
    }

    private synchronized byte[] copied() {
        if (isClosed) {
            throw new IllegalStateException("the key was wiped");
        }
        return bytes.clone();
    }

    /// What tells two keys apart, 32 hexadecimal digits; says nothing about the key.
    public String id() {
        var derived = derived(new byte[ID_SIZE], "cagewright store key id").getEncoded();
        try {
            return HexFormat.of().formatHex(derived, 0, ID_SIZE);
        } finally {
            Arrays.fill(derived, (byte) 0);
        }
    }

    /// The key of one record.
    SecretKey derived(byte[] salt, String purpose) {
        return lend(own -> {
            try {
                var parameters = HKDFParameterSpec.ofExtract()
                        .addIKM(own)
                        .addSalt(salt)
                        .thenExpand(purpose.getBytes(StandardCharsets.UTF_8), SIZE);
                return KDF.getInstance("HKDF-SHA256").deriveKey("AES", parameters);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("HKDF-SHA256 is missing from this Java", e);
            }
        });
    }

    /// `inner` sealed under this key.
    ///
    /// @param about what it is; it opens as nothing else
    public byte[] wrap(StoreKey inner, String about) {
        return inner.lend(bytes -> Sealed.of(this, about, bytes)).bytes();
    }

    /// What [#wrap] made; empty if it was changed, is something else, or was sealed under another key.
    public Optional<StoreKey> unwrap(byte[] wrapped, String about) {
        return new Sealed(wrapped).open(this, about).flatMap(plain -> {
            try {
                return plain.length == SIZE ? Optional.of(copyOf(plain)) : Optional.empty();
            } finally {
                Arrays.fill(plain, (byte) 0);
            }
        });
    }

    /// Wipes the key.
    @Override
    public synchronized void close() {
        isClosed = true;
        Arrays.fill(bytes, (byte) 0);
    }

    /// The same words for every key.
    @Override
    public String toString() {
        return "(a store's key)";
    }
}
