package dev.cagewright.audit.seal;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/// HMAC-SHA-256 (RFC 2104, FIPS 198-1) that leaves no copy of a key behind, as far as Java can promise that. Not safe
/// for several threads.
final class Hmac {
    static final int LENGTH = 32;

    private static final int BLOCK = 64;
    private static final byte INNER = 0x36;
    private static final byte OUTER = 0x5c;

    private final MessageDigest sha = sha256();
    private final byte[] pad = new byte[BLOCK];
    private final byte[] inner = new byte[LENGTH];

    /// Begins a code.
    ///
    /// @param key at most 64 bytes
    void start(byte[] key) {
        feed(key, INNER);
    }

    void update(byte[] bytes, int from, int length) {
        sha.update(bytes, from, length);
    }

    /// Ends the code.
    ///
    /// @param key the one it was begun with
    void finish(byte[] key, byte[] code) {
        digest(inner);
        feed(key, OUTER);
        sha.update(inner);
        digest(code);
    }

    /// The code of one text.
    byte[] of(byte[] key, byte[] text) {
        var code = new byte[LENGTH];
        start(key);
        update(text, 0, text.length);
        finish(key, code);
        return code;
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing from this JDK", e);
        }
    }

    private void feed(byte[] key, byte mask) {
        Arrays.fill(pad, mask);
        for (int i = 0; i < key.length; i++) {
            pad[i] ^= key[i];
        }
        sha.update(pad);
        Arrays.fill(pad, (byte) 0);
    }

    private void digest(byte[] into) {
        try {
            sha.digest(into, 0, LENGTH);
        } catch (DigestException e) {
            throw new IllegalStateException("SHA-256 does not fit in 32 bytes", e);
        }
    }
}
