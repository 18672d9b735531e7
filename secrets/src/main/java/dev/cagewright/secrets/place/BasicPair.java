package dev.cagewright.secrets.place;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/// User and password of RFC 7617, in and out of their base64.
public final class BasicPair {
    private static final String BASIC = "Basic";

    private BasicPair() {}

    /// `user:password` of the value of a field; empty if it is of another form.
    public static Optional<byte[]> read(String field) {
        if (!field.regionMatches(/* ignoreCase= */ true, 0, BASIC + " ", 0, BASIC.length() + 1)) {
            return Optional.empty();
        }
        try {
            var coded = field.substring(BASIC.length() + 1).strip();
            return Optional.of(Base64.getDecoder().decode(coded));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// The field with another pair in it.
    public static byte[] field(byte[] pair) {
        var coded = Base64.getEncoder().encode(pair);
        var word = (BASIC + " ").getBytes(StandardCharsets.US_ASCII);
        var field = new byte[word.length + coded.length];
        System.arraycopy(word, 0, field, 0, word.length);
        System.arraycopy(coded, 0, field, word.length, coded.length);
        return field;
    }
}
