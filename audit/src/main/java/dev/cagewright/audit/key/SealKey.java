package dev.cagewright.audit.key;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;

/// The key that proves every seal of one log, and could forge every one. The log's machine holds it only while it is
/// made. Wiped when closed.
public final class SealKey implements AutoCloseable {
    private final byte[] key;

    private SealKey(byte[] key) {
        this.key = key;
    }

    /// A new one, random.
    public static SealKey generate() {
        var key = new byte[KeyFile.KEY_LENGTH];
        new SecureRandom().nextBytes(key);
        return new SealKey(key);
    }

    /// Reads a file of 64 hexadecimal digits.
    ///
    /// @throws IOException if it holds anything else, or others may read it
    public static SealKey read(Path file) throws IOException {
        KeyFile.ownersAlone(file);
        return new SealKey(KeyFile.read(file));
    }

    /// Writes a file that did not exist, for its owner alone.
    public void write(Path file) throws IOException {
        KeyFile.create(file, key, "rw-------");
    }

    /// 64 hexadecimal digits and a line end; the caller wipes them.
    public byte[] digits() {
        var digits = new byte[2 * key.length + 1];
        for (int i = 0; i < key.length; i++) {
            digits[2 * i] = (byte) Character.forDigit(key[i] >> 4 & 0xf, 16);
            digits[2 * i + 1] = (byte) Character.forDigit(key[i] & 0xf, 16);
        }
        digits[2 * key.length] = '\n';
        return digits;
    }

    /// The 32 bytes; the caller wipes them.
    public byte[] bytes() {
        return key.clone();
    }

    /// Says what this is, never what it holds.
    @Override
    public String toString() {
        return "a seal key";
    }

    @Override
    public void close() {
        Arrays.fill(key, (byte) 0);
    }
}
