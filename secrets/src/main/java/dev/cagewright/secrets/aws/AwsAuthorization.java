package dev.cagewright.secrets.aws;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The `Authorization` field of a signed request.
///
/// @param id of the key
/// @param scope `DATE/REGION/SERVICE/aws4_request`
/// @param signed the names of the fields that are signed, in small letters
/// @param signature 64 digits in hex
public record AwsAuthorization(String id, String scope, List<String> signed, String signature) {
    static final String ALGORITHM = "AWS4-HMAC-SHA256";

    private static final Pattern FORM = Pattern.compile(
            "AWS4-HMAC-SHA256 +Credential=(?<id>[!-~&&[^/,]]{1,256})/(?<scope>[0-9]{8}/[!-~&&[^/,]]{1,64}/[!-~&&[^/,]]{1,64}"
                    + "/aws4_request) *, *SignedHeaders=(?<signed>[a-z0-9;._-]{1,4096}) *, *Signature=(?<signature>[0-9a-f]{64})");

    public AwsAuthorization {
        signed = List.copyOf(signed);
    }

    /// Reads the value of the field; empty if it is of another form.
    public static Optional<AwsAuthorization> read(String field) {
        var parts = FORM.matcher(field.strip());
        if (!parts.matches()) {
            return Optional.empty();
        }
        var signed = List.of(parts.group("signed").split(";", -1));
        return Optional.of(
                new AwsAuthorization(parts.group("id"), parts.group("scope"), signed, parts.group("signature")));
    }

    /// The same with another signature.
    public AwsAuthorization with(String other) {
        return new AwsAuthorization(id, scope, signed, other);
    }

    /// The value of the field.
    public String field() {
        return ALGORITHM + " Credential=" + id + "/" + scope + ", SignedHeaders=" + String.join(";", signed)
                + ", Signature=" + signature;
    }
}
