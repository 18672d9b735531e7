package dev.cagewright.egress.credential;

import dev.cagewright.secrets.aws.AwsAuthorization;
import dev.cagewright.secrets.aws.AwsRequest;
import dev.cagewright.secrets.aws.AwsRequest.PathForm;
import dev.cagewright.secrets.aws.AwsSigning;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A request that is signed for Amazon Web Services with the decoy of a secret, to be signed anew with its value. Which
/// secret it is, and that the request is read as its client wrote it, is told by the signature itself. For one event
/// loop.
final class Signing {
    private static final String PAYLOAD = "x-amz-content-sha256";

    private final Handover handover;
    private final AwsAuthorization asked;
    private final HttpRequest request;
    private @Nullable Key key;

    /// The key that a request was signed with.
    ///
    /// @param secret its number
    private record Key(int secret, PathForm form) {}

    private Signing(Handover handover, AwsAuthorization asked, HttpRequest request) {
        this.handover = handover;
        this.asked = asked;
        this.request = request;
    }

    /// Begins; empty where nothing is signed, or no secret may go.
    ///
    /// @param request with decoys
    /// @throws MisusedException if a part of the body is signed by itself, which cannot be done anew
    static Optional<Signing> of(Handover handover, HttpRequest request) throws MisusedException {
        var field = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
        var authorization = AwsAuthorization.read(field);
        var place = new Place.Header(Optional.of("authorization"));
        boolean mayUse = handover.credentials()
                .anyBound(secret -> handover.request().standing(secret, place) == Request.Standing.BOUND);
        if (authorization.isEmpty() || !mayUse) {
            return Optional.empty();
        }
        var signing = new Signing(handover, authorization.get(), request);
        if (payload(request.headers())
                .filter(said -> said.startsWith("STREAMING-AWS4-"))
                .isPresent()) {
            throw new MisusedException(signing.misuse("each of its chunks is signed by itself"));
        }
        return Optional.of(signing);
    }

    private static Optional<String> payload(HttpHeaders fields) {
        return Optional.ofNullable(fields.get(PAYLOAD));
    }

    /// Is the body signed without saying so in the head?
    boolean wantsBody() {
        return payload(request.headers()).isEmpty();
    }

    Misuse misuse(String why) {
        return Misuse.elsewhere(
                "",
                "decoys.signature",
                "the request is signed with a key that stays outside of the cage, and cannot be" + " signed anew: "
                        + why);
    }

    /// Finds the secret with whose decoy the request is signed.
    ///
    /// @param body as the cage sent it; empty if it is not signed
    /// @throws MisusedException if there is none though the id of the key is a decoy
    OptionalInt secret(byte[] body) throws MisusedException {
        var read = read(request, body);
        var place = new Place.Header(Optional.of("authorization"));
        var secrets = handover.credentials().secrets();
        for (int i = 0; i < secrets.size(); i++) {
            if (handover.request().standing(handover.credentials().bound(i), place) == Request.Standing.BOUND) {
                for (var form : PathForm.values()) {
                    if (isBy(read, form, secrets.get(i).decoy())) {
                        key = new Key(i, form);
                        return OptionalInt.of(i);
                    }
                }
            }
        }
        if (!handover.credentials()
                .decoys()
                .in(asked.id().getBytes(StandardCharsets.ISO_8859_1))
                .isEmpty()) {
            throw new MisusedException(misuse(
                    "its signature was made with no decoy of a secret that may go there, or over something else"));
        }
        return OptionalInt.empty();
    }

    private static AwsRequest read(HttpRequest request, byte[] body) {
        return new AwsRequest(
                request.method().name(),
                request.uri(),
                request.headers().entries(),
                payload(request.headers()).orElseGet(() -> AwsSigning.hash(body)));
    }

    private boolean isBy(AwsRequest read, PathForm form, byte[] decoy) {
        return AwsSigning.signature(asked, read, form, decoy)
                .filter(signature -> MessageDigest.isEqual(bytes(signature), bytes(asked.signature())))
                .isPresent();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// Signs what goes out, once [#secret] has found one.
    ///
    /// @param composed with values in it
    /// @param body as it goes out
    void sign(HttpRequest composed, byte[] body) {
        var found = key;
        if (found == null) {
            return;
        }
        var fields = composed.headers();
        AwsAuthorization.read(fields.get(HttpHeaderNames.AUTHORIZATION, "")).ifPresent(authorization -> {
            List<String> kept =
                    authorization.signed().stream().filter(fields::contains).toList();
            var known = new AwsAuthorization(authorization.id(), authorization.scope(), kept, "");
            var read = read(composed, body);
            var value = handover.credentials().secrets().get(found.secret()).value();
            value.lend(secret -> AwsSigning.signature(known, read, found.form(), secret))
                    .ifPresent(signature -> fields.set(
                            HttpHeaderNames.AUTHORIZATION, known.with(signature).field()));
        });
    }
}
