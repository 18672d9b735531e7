package dev.cagewright.supervisor.receipt;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256 as 64 lower-case hexadecimal digits.
public final class Sha256 {
    private Sha256() {}

    /// The digest of `bytes`.
    public static String of(byte[] bytes) {
        return HexFormat.of().formatHex(fresh().digest(bytes));
    }

    /// What `sha` has taken so far; it starts anew.
    public static String of(MessageDigest sha) {
        return HexFormat.of().formatHex(sha.digest());
    }

    /// For bytes that come piece by piece.
    public static MessageDigest fresh() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: absent (expected: in every JDK)", e);
        }
    }

    /// Is `text` a digest?
    public static boolean is(String text) {
        return text.length() == 64 && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }
}
