package dev.cagewright.secrets.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/// One record under AES-256-GCM: 16 bytes of salt, 12 of nonce, then text and tag. Salt and nonce are fresh for each,
/// so a
/// pair of key and nonce comes twice only if 28 random bytes do.
final class Sealed {
    static final int OVERHEAD = 16 + 12 + 16;

    private static final int SALT = 16;
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] bytes;

    /// @param bytes from now on owned by this
    Sealed(byte[] bytes) {
        this.bytes = bytes;
    }

    /// Not to be changed.
    byte[] bytes() {
        return bytes;
    }

    /// @param about what the record is; it opens as nothing else
    static Sealed of(StoreKey key, String about, byte[] plain) {
        var head = new byte[SALT + NONCE];
        RANDOM.nextBytes(head);
        try {
            var cipher = cipher(key, Cipher.ENCRYPT_MODE, head, about);
            var sealed = ByteBuffer.allocate(OVERHEAD + plain.length).put(head);
            cipher.doFinal(ByteBuffer.wrap(plain), sealed);
            return new Sealed(sealed.array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-256-GCM is missing from this Java", e);
        }
    }

    /// The record's text, which the caller wipes; empty if it is not what `about` says, was changed, or belongs to
    /// another
    /// key.
    Optional<byte[]> open(StoreKey key, String about) {
        if (bytes.length < OVERHEAD) {
            return Optional.empty();
        }
        try {
            var cipher = cipher(key, Cipher.DECRYPT_MODE, bytes, about);
            return Optional.of(cipher.doFinal(bytes, SALT + NONCE, bytes.length - SALT - NONCE));
        } catch (AEADBadTagException _) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-256-GCM is missing from this Java", e);
        }
    }

    private static Cipher cipher(StoreKey key, int mode, byte[] head, String about) throws GeneralSecurityException {
        var salt = ByteBuffer.wrap(head, 0, SALT);
        var saltBytes = new byte[SALT];
        salt.get(saltBytes);
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(
                mode,
                key.derived(saltBytes, "cagewright store record"),
                new GCMParameterSpec(TAG_BITS, head, SALT, NONCE));
        cipher.updateAAD(about.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
