package dev.cagewright.audit.merkle;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/// The SHA-256 hash of a leaf or of an inner node, 32 bytes. Immutable.
public final class TreeHash {
    /// In bytes.
    public static final int LENGTH = 32;

    /// The root of a tree without leaves, RFC 9162 section 2.1.1.
    public static final TreeHash EMPTY = new TreeHash(sha256().digest());

    private final byte[] bytes;

    private TreeHash(byte[] bytes) {
        this.bytes = bytes;
    }

    /// The hash of a leaf: one byte `0x00` in front, so that no leaf can be taken for a node.
    public static TreeHash leaf(byte[] content) {
        var sha = sha256();
        sha.update((byte) 0);
        sha.update(content);
        return new TreeHash(sha.digest());
    }

    /// The hash of an inner node: one byte `0x01` in front.
    public static TreeHash node(TreeHash left, TreeHash right) {
        var sha = sha256();
        sha.update((byte) 1);
        sha.update(left.bytes);
        sha.update(right.bytes);
        return new TreeHash(sha.digest());
    }

    /// The hash with these bytes.
    ///
    /// @param bytes 32 bytes
    public static TreeHash of(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("hash: " + bytes.length + " bytes (expected: 32)");
        }
        return new TreeHash(bytes.clone());
    }

    /// Reads what [#base64] writes, and nothing else.
    ///
    /// @throws IllegalArgumentException if `text` is not the base64 form of 32 bytes
    public static TreeHash ofBase64(String text) {
        var hash = of(Base64.getDecoder().decode(text));
        if (!hash.base64().equals(text)) {
            throw new IllegalArgumentException("hash: not the one base64 form of its bytes");
        }
        return hash;
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    /// RFC 4648 section 4, 44 characters.
    public String base64() {
        return Base64.getEncoder().encodeToString(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TreeHash hash && Arrays.equals(bytes, hash.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /// 64 hexadecimal digits.
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing from this JDK", e);
        }
    }
}
