package dev.cagewright.secrets.aws;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Test vectors: the "Signature Version 4 test suite" that AWS published (aws-sig-v4-test-suite), and the example
/// "GET Object" of the S3 API reference, "Signature calculations for the Authorization header".
class AwsSigningTest {
    private static final String KEY = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
    private static final String EMPTY = AwsSigning.hash(new byte[0]);

    private static Optional<String> signature(
            AwsRequest request, String scope, String signed, AwsRequest.PathForm form, String key) {
        var authorization = new AwsAuthorization("ID", scope, List.of(signed.split(";")), "");
        return AwsSigning.signature(authorization, request, form, key.getBytes(StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @CsvSource({
        "get-vanilla, GET, /, 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
        "post-vanilla, POST, /, 5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
        "get-vanilla-query-order-key-case, GET, /?Param2=value2&Param1=value1,"
                + " b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
        "get-vanilla-query-order-value, GET, /?Param1=value2&Param1=value1,"
                + " 5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694",
        "get-unreserved, GET, /-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz,"
                + " 07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"
    })
    void requests_of_the_published_suite_have_its_signatures(
            String name, String method, String target, String expected) {
        var fields = List.of(Map.entry("Host", "example.amazonaws.com"), Map.entry("X-Amz-Date", "20150830T123600Z"));
        var request = new AwsRequest(method, target, fields, EMPTY);
        assertThat(signature(
                        request,
                        "20150830/us-east-1/service/aws4_request",
                        "host;x-amz-date",
                        AwsRequest.PathForm.TWICE,
                        KEY))
                .as(name)
                .contains(expected);
    }

    @Test
    void a_form_of_the_published_suite_has_its_signature() {
        var fields = new ArrayList<>(List.of(
                Map.entry("Content-Type", "application/x-www-form-urlencoded"),
                Map.entry("Host", "example.amazonaws.com"),
                Map.entry("X-Amz-Date", "20150830T123600Z")));
        var body = AwsSigning.hash("Param1=value1".getBytes(StandardCharsets.US_ASCII));
        assertThat(signature(
                        new AwsRequest("POST", "/", fields, body),
                        "20150830/us-east-1/service/aws4_request",
                        "content-type;host;x-amz-date",
                        AwsRequest.PathForm.TWICE,
                        KEY))
                .contains("ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a");
    }

    @Test
    void the_example_of_the_S3_reference_has_its_signature() {
        var fields = List.of(
                Map.entry("Host", "examplebucket.s3.amazonaws.com"),
                Map.entry("Range", "bytes=0-9 "),
                Map.entry("x-amz-content-sha256", EMPTY),
                Map.entry("x-amz-date", "20130524T000000Z"));
        assertThat(signature(
                        new AwsRequest("GET", "/test.txt", fields, EMPTY),
                        "20130524/us-east-1/s3/aws4_request",
                        "host;range;x-amz-content-sha256;x-amz-date",
                        AwsRequest.PathForm.ONCE,
                        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"))
                .contains("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
    }

    @Test
    void the_field_is_read_and_written_alike() {
        var field = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request,"
                + " SignedHeaders=host;x-amz-date, Signature=" + EMPTY;
        assertThat(AwsAuthorization.read(field).orElseThrow().field()).isEqualTo(field);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Bearer x",
                "AWS4-HMAC-SHA256 Credential=A/20150830/us-east-1/service/aws4_request, SignedHeaders=host",
                "AWS4-HMAC-SHA256 Credential=A/2015/us-east-1/service/aws4_request, SignedHeaders=host, Signature=00"
            })
    void what_is_of_another_form_is_none(String field) {
        assertThat(AwsAuthorization.read(field)).isEmpty();
    }

    @Test
    void a_request_that_does_not_say_when_it_was_signed_has_no_signature() {
        var request = new AwsRequest("GET", "/", List.of(Map.entry("Host", "a.test")), EMPTY);
        assertThat(signature(request, "20150830/r/s/aws4_request", "host", AwsRequest.PathForm.TWICE, KEY))
                .isEmpty();
    }
}
