package dev.cagewright.supervisor.notice;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// What messages to one address are signed with. Not a record: it is a secret. Immutable.
public final class WebhookKey {
    private static final String PREFIX = "whsec_";
    private static final int LENGTH = 32;
    private static final int SHORTEST = 24;
    private static final int LONGEST = 64;
    private static final String MAC = "HmacSHA256";

    private final byte[] bytes;

    private WebhookKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /// 256 random bits.
    static WebhookKey random() {
        var bytes = new byte[LENGTH];
        new SecureRandom().nextBytes(bytes);
        return new WebhookKey(bytes);
    }

    /// Reads what [#text] writes.
    ///
    /// @throws IllegalArgumentException if it is no key; the message does not show it
    static WebhookKey parse(String text) {
        try {
            var bytes = Base64.getDecoder().decode(text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : "");
            if (bytes.length >= SHORTEST && bytes.length <= LONGEST) {
                return new WebhookKey(bytes);
            }
        } catch (IllegalArgumentException _) {
            // falls through to the one refusal
        }
        throw new IllegalArgumentException("key: (expected: whsec_ and 24 to 64 bytes in base64)");
    }

    /// For the receiver, who verifies with it.
    public String text() {
        return PREFIX + Base64.getEncoder().encodeToString(bytes);
    }

    /// `v1,` and HMAC-SHA256 over id, time and body, as <https://www.standardwebhooks.com> has it.
    ///
    /// @param timestamp seconds of Unix time
    String signature(String id, long timestamp, byte[] body) {
        try {
            var mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(bytes, MAC));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + MAC, e);
        }
    }

    @Override
    public String toString() {
        return "a key that webhooks are signed with";
    }
}
