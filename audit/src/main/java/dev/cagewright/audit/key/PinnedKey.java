package dev.cagewright.audit.key;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/// The Ed25519 public key that checkpoints and receipts must be signed with. Comes from whoever verifies, never from
/// the log.
public final class PinnedKey {
    /// What stands before the 32 bytes of a public key in X.509, RFC 8410 section 4.
    private static final byte[] X509 = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};

    private final PublicKey key;
    private final byte[] raw;

    private PinnedKey(PublicKey key, byte[] raw) {
        this.key = key;
        this.raw = raw;
    }

    /// Reads `PREFIX.pub.hex`.
    ///
    /// @throws IOException if it is no key
    public static PinnedKey read(Path file) throws IOException {
        var raw = KeyFile.read(file);
        try {
            return of(raw);
        } catch (GeneralSecurityException e) {
            throw new IOException("key file " + file + " holds no Ed25519 public key", e);
        }
    }

    static PinnedKey of(byte[] raw) throws GeneralSecurityException {
        var encoded = Arrays.copyOf(X509, X509.length + raw.length);
        System.arraycopy(raw, 0, encoded, X509.length, raw.length);
        return new PinnedKey(
                KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded)), raw.clone());
    }

    /// A key as it stands in a text.
    ///
    /// @param raw 32 bytes, RFC 8032 section 5.1.5
    /// @throws IllegalArgumentException if they are no Ed25519 public key
    public static PinnedKey ofBytes(byte[] raw) {
        try {
            if (raw.length == KeyFile.KEY_LENGTH) {
                return of(raw);
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "public key: " + HexFormat.of().formatHex(raw) + " (expected: Ed25519)", e);
        }
        throw new IllegalArgumentException("public key: " + raw.length + " bytes (expected: 32)");
    }

    /// Is `signature` an Ed25519 signature of `message` by this key's secret half?
    public boolean signed(byte[] message, byte[] signature) {
        try {
            var check = Signature.getInstance("Ed25519");
            check.initVerify(key);
            check.update(message);
            return check.verify(signature);
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    /// The key's 32 bytes.
    public byte[] bytes() {
        return raw.clone();
    }

    /// The key's 32 bytes as hexadecimal digits.
    public String hex() {
        return HexFormat.of().formatHex(raw);
    }

    @Override
    public String toString() {
        return "Ed25519 public key " + hex();
    }
}
