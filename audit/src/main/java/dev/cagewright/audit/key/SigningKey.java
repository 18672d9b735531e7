package dev.cagewright.audit.key;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;

/// An Ed25519 secret key (RFC 8032) that signs checkpoints and receipts. Has no text form.
public final class SigningKey {
    /// What stands before the 32 bytes of a secret key in PKCS #8, RFC 8410 section 7.
    private static final byte[] PKCS8 = {
        0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20
    };

    private final PrivateKey key;
    private final PinnedKey open;

    private SigningKey(PrivateKey key, PinnedKey open) {
        this.key = key;
        this.open = open;
    }

    /// The public half.
    public PinnedKey publicKey() {
        return open;
    }

    /// Makes a pair of keys: `PREFIX.secret.hex`, for its owner alone, and `PREFIX.pub.hex`.
    ///
    /// @return the public half
    /// @throws IOException if one of the files exists or cannot be written
    public static PinnedKey generate(Path prefix) throws IOException {
        try {
            var pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            var secret = tail(pair.getPrivate().getEncoded());
            try {
                KeyFile.create(sibling(prefix, ".secret.hex"), secret, "rw-------");
            } finally {
                Arrays.fill(secret, (byte) 0);
            }
            var open = tail(pair.getPublic().getEncoded());
            KeyFile.create(sibling(prefix, ".pub.hex"), open, "rw-r--r--");
            return PinnedKey.of(open);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Ed25519 is missing from this JDK", e);
        }
    }

    /// Reads `PREFIX.secret.hex`.
    ///
    /// @throws IOException if it is no key, a link, or open to others
    public static SigningKey read(Path file) throws IOException {
        KeyFile.ownersAlone(file);
        var secret = KeyFile.read(file);
        var encoded = Arrays.copyOf(PKCS8, PKCS8.length + secret.length);
        System.arraycopy(secret, 0, encoded, PKCS8.length, secret.length);
        try {
            return new SigningKey(
                    KeyFactory.getInstance("Ed25519").generatePrivate(new PKCS8EncodedKeySpec(encoded)),
                    publicHalf(secret));
        } catch (GeneralSecurityException e) {
            throw new IOException("key file " + file + " holds no Ed25519 key", e);
        } finally {
            Arrays.fill(secret, (byte) 0);
            Arrays.fill(encoded, (byte) 0);
        }
    }

    /// Signs exactly these bytes. Whoever calls this sees to it that they cannot be taken for something else: a message
    /// starts with words that no other kind of message starts with.
    ///
    /// @return 64 bytes
    public byte[] sign(byte[] message) {
        try {
            var signature = Signature.getInstance("Ed25519");
            signature.initSign(key);
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Ed25519 is missing from this JDK", e);
        }
    }

    @Override
    public String toString() {
        return "an Ed25519 signing key";
    }

    /// The JDK computes a public key only when it makes a pair, from 32 random bytes that are the secret: here they are
    /// not random.
    private static PinnedKey publicHalf(byte[] secret) throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("Ed25519");
        generator.initialize(NamedParameterSpec.ED25519, new KnownBytes(secret));
        var pair = generator.generateKeyPair();
        var used = tail(pair.getPrivate().getEncoded());
        boolean same = MessageDigest.isEqual(used, secret);
        Arrays.fill(used, (byte) 0);
        if (!same) {
            throw new GeneralSecurityException("this JDK makes Ed25519 keys from other bytes than it was given");
        }
        return PinnedKey.of(tail(pair.getPublic().getEncoded()));
    }

    /// A source of bytes that gives what it was given.
    private static final class KnownBytes extends SecureRandom {
        private static final long serialVersionUID = 1;

        private final transient byte[] known;

        KnownBytes(byte[] known) {
            this.known = known;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            System.arraycopy(known, 0, bytes, 0, bytes.length);
        }
    }

    /// Both encodings of RFC 8410 end in the key's 32 bytes.
    private static byte[] tail(byte[] encoded) {
        var key = Arrays.copyOfRange(encoded, encoded.length - KeyFile.KEY_LENGTH, encoded.length);
        Arrays.fill(encoded, (byte) 0);
        return key;
    }

    private static Path sibling(Path prefix, String suffix) {
        return prefix.resolveSibling(prefix.getFileName() + suffix);
    }
}
