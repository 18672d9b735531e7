package dev.cagewright.secrets.aws;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Makes signatures.
public final class AwsSigning {
    private static final String HMAC = "HmacSHA256";

    private AwsSigning() {}

    /// The signature of a request.
    ///
    /// @param authorization whose scope and signed fields are used
    /// @param key the secret key; not changed
    /// @return 64 digits in hex; empty if the request does not say when it was signed
    public static Optional<String> signature(
            AwsAuthorization authorization, AwsRequest request, AwsRequest.PathForm form, byte[] key) {
        var canonical = request.canonical(authorization.signed(), form);
        return request.date()
                .map(date -> AwsAuthorization.ALGORITHM + "\n" + date + "\n" + authorization.scope() + "\n"
                        + hash(canonical.getBytes(StandardCharsets.UTF_8)))
                .map(text -> HexFormat.of().formatHex(chained(authorization, text, key)));
    }

    private static byte[] chained(AwsAuthorization authorization, String text, byte[] key) {
        var prefix = "AWS4".getBytes(StandardCharsets.US_ASCII);
        var chain = Arrays.copyOf(prefix, prefix.length + key.length);
        System.arraycopy(key, 0, chain, prefix.length, key.length);
        for (String part : authorization.scope().split("/", -1)) {
            chain = next(chain, part);
        }
        return next(chain, text);
    }

    /// Wipes `key`.
    private static byte[] next(byte[] key, String text) {
        try {
            var mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a Java without " + HMAC, e);
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    /// The hash of a body, in hex.
    public static String hash(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a Java without SHA-256", e);
        }
    }
}
