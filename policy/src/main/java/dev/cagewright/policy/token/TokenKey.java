package dev.cagewright.policy.token;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The host's key: 32 bytes that sign tokens and lists of what is revoked, by HMAC-SHA256 (RFC 2104, FIPS 180-4) and
/// nothing else. Whoever has it can make any token. Wiped when closed; safe for all threads until then.
public final class TokenKey implements AutoCloseable {
    /// In bytes; the length of a tag, too.
    public static final int LENGTH = 32;

    private static final int ID_LENGTH = 8;
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private final byte[] key;
    private final String id;

    private TokenKey(byte[] key) {
        this.key = key;
        this.id = hex(tag(Purpose.NAME, new byte[0]), ID_LENGTH);
    }

    /// What a tag is for: a tag for one purpose is none for another.
    enum Purpose {
        NAME,
        TOKEN,
        REVOCATIONS;

        byte[] prefix() {
            return ("cagewright " + name() + " v1\0").getBytes(StandardCharsets.US_ASCII);
        }
    }

    /// A key of these bytes, which are copied.
    ///
    /// @throws IllegalArgumentException if they are not 32
    public static TokenKey of(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("key: " + bytes.length + " bytes (expected: " + LENGTH + ")");
        }
        return new TokenKey(bytes.clone());
    }

    /// Reads 64 hexadecimal digits and at most one line end.
    ///
    /// @throws IllegalArgumentException if it is anything else; the message does not repeat it
    public static TokenKey ofHex(byte[] text) {
        int length = text.length;
        if (length > 0 && text[length - 1] == '\n') {
            length--;
        }
        boolean isKey = length == 2 * LENGTH;
        var bytes = new byte[LENGTH];
        for (int i = 0; isKey && i < LENGTH; i++) {
            int high = Character.digit(text[2 * i], 16);
            int low = Character.digit(text[2 * i + 1], 16);
            isKey = high >= 0 && low >= 0;
            bytes[i] = (byte) (high << 4 | low);
        }
        if (!isKey) {
            Arrays.fill(bytes, (byte) 0);
            throw new IllegalArgumentException("key: " + text.length
                    + " bytes of something else (expected: 64 hexadecimal digits, as token keygen writes them)");
        }
        return new TokenKey(bytes);
    }

    /// 64 hexadecimal digits and a line end; the caller wipes them.
    public byte[] digits() {
        var digits = new byte[2 * LENGTH + 1];
        for (int i = 0; i < LENGTH; i++) {
            digits[2 * i] = (byte) HEX[(key[i] >> 4) & 15];
            digits[2 * i + 1] = (byte) HEX[key[i] & 15];
        }
        digits[2 * LENGTH] = '\n';
        return digits;
    }

    /// The name of the key, which gives nothing of it away: 16 hexadecimal digits.
    public String id() {
        return id;
    }

    byte[] tag(Purpose purpose, byte[] message) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(purpose.prefix());
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256: " + e + " (expected: every Java platform has it)", e);
        }
    }

    /// Length first, then every byte, in a time that does not depend on where they differ.
    boolean isTagOf(Purpose purpose, byte[] message, byte[] tag) {
        return tag.length == LENGTH && MessageDigest.isEqual(tag(purpose, message), tag);
    }

    static String hex(byte[] bytes, int length) {
        var out = new StringBuilder(2 * length);
        for (int i = 0; i < length; i++) {
            out.append(HEX[(bytes[i] >> 4) & 15]).append(HEX[bytes[i] & 15]);
        }
        return out.toString();
    }

    /// Says which key this is, never what it holds.
    @Override
    public String toString() {
        return "token key " + id;
    }

    @Override
    public void close() {
        Arrays.fill(key, (byte) 0);
    }
}
