package dev.cagewright.policy.token;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/// Any bytes are a token in its one spelling, or a refusal of one line. Run as tests these read the committed inputs;
/// with `JAZZER_FUZZ=1` in the environment they look for new ones.
class TokenFuzzTest {
    private final Bench host = new Bench();

    @FuzzTest(maxDuration = "2m")
    void any_bytes_are_a_token_or_a_refusal(byte[] bytes) {
        switch (host.verifier().verify(bytes)) {
            case Verification.Genuine(Token token) ->
                assertThat(host.signed(token.links()))
                        .startsWith(new String(bytes, StandardCharsets.ISO_8859_1)
                                .strip()
                                .getBytes(StandardCharsets.ISO_8859_1));
            case Verification.Refused refused ->
                assertThat(refused.why()).hasSizeLessThan(700).matches("\\P{Cntrl}+");
        }
        UnverifiedToken.read(bytes)
                .ifPresent(claimed -> assertThat(claimed.claimed().links()).isNotEmpty());
    }

    @FuzzTest(maxDuration = "2m")
    void any_bytes_that_were_signed_are_a_token_or_a_refusal(byte[] bytes) {
        var payload = new String(bytes, StandardCharsets.ISO_8859_1);
        switch (host.verifier().read(host.signed(payload))) {
            case Verification.Genuine(Token token) ->
                assertThat(Payload.write(token)).isEqualTo(bytes);
            case Verification.Refused refused ->
                assertThat(refused.why()).hasSizeLessThan(700).matches("\\P{Cntrl}+");
        }
    }

    @FuzzTest(maxDuration = "2m")
    void any_bytes_that_were_signed_are_a_list_or_a_refusal(byte[] bytes) {
        var tag = host.key.tag(TokenKey.Purpose.REVOCATIONS, bytes);
        var last = ("tag " + TokenKey.hex(tag, tag.length) + "\n").getBytes(StandardCharsets.US_ASCII);
        var text = new byte[bytes.length + last.length];
        System.arraycopy(bytes, 0, text, 0, bytes.length);
        System.arraycopy(last, 0, text, bytes.length, last.length);
        try {
            assertThat(RevocationList.read(text, host.key).write(host.key)).isEqualTo(text);
        } catch (UnknownRevocationsException e) {
            assertThat(e.getMessage()).hasSizeLessThan(700).matches("\\P{Cntrl}+");
        }
    }
}
