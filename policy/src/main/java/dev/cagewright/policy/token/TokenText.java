package dev.cagewright.policy.token;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/// A token as it is handed over: `cwt1.`, what was signed, `.`, the tag, both in base64url without padding (RFC 4648,
/// 5). There is one spelling of each, one algorithm, and no field that says which.
final class TokenText {
    /// The longest text that is looked at, in bytes; a longer one is refused unread.
    static final int LONGEST = 64 * 1024;

    private static final String PREFIX = "cwt1.";

    private final byte[] signed;
    private final byte[] tag;

    TokenText(byte[] signed, byte[] tag) {
        this.signed = signed;
        this.tag = tag;
    }

    /// The parts of `text`, behind which one line end may stand; empty if it is not spelt like a token.
    static Optional<TokenText> split(byte[] presented) {
        int length = presented.length;
        if (length > 0 && presented[length - 1] == '\n') {
            length--;
        }
        var text = new String(presented, 0, length, StandardCharsets.ISO_8859_1);
        int dot = text.indexOf('.', PREFIX.length());
        if (!text.startsWith(PREFIX) || dot < 0) {
            return Optional.empty();
        }
        var signed = decoded(text.substring(PREFIX.length(), dot));
        var tag = decoded(text.substring(dot + 1));
        return signed.isEmpty() || tag.isEmpty()
                ? Optional.empty()
                : Optional.of(new TokenText(signed.get(), tag.get()));
    }

    /// The decoder of the platform lets bits through that nobody wrote, so what it reads is spelt again.
    private static Optional<byte[]> decoded(String text) {
        try {
            var bytes = Base64.getUrlDecoder().decode(text);
            return encoded(bytes).equals(text) ? Optional.of(bytes) : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /// The text of the two, in ASCII, with a line end.
    byte[] joined() {
        return (PREFIX + encoded(signed) + "." + encoded(tag) + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    /// The bytes that the tag is of.
    byte[] signed() {
        return signed;
    }

    /// Not looked at yet.
    byte[] tag() {
        return tag;
    }

    @Override
    public String toString() {
        return "the text of a token";
    }
}
