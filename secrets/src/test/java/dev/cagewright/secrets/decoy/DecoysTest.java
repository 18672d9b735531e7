package dev.cagewright.secrets.decoy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.secrets.value.SecretValue;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashSet;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecoysTest {
    private static final String BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private final Decoys decoys = new Decoys(new SecureRandom());

    private String like(String value) {
        try (var secret = SecretValue.copyOf(value.getBytes(ISO_8859_1))) {
            return new String(decoys.like(secret), US_ASCII);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "sk-ant-api03-0123456789abcdefghijABCDEFGHIJ0123456789AA, sk-ant-api03-[A-Za-z0-9_-]{42}",
        "sk-proj-0123456789abcdefghijABCDEFGHIJ0123456789, sk-proj-[A-Za-z0-9_-]{40}",
        "glpat-0123456789abcdefghij, glpat-[A-Za-z0-9_-]{22}",
        "AIza0123456789abcdefghij0123456789abcde, AIza[A-Za-z0-9_-]{35}",
        "dop_v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef, dop_v1_[0-9a-f]{64}",
        "hf_0123456789abcdefghijABCDEFGHIJ0123, hf_[A-Za-z0-9]{34}",
        "SG.0123456789abcdefghijAB.0123456789abcdefghijABCDEFGHIJ0123456789abc,"
                + " SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}",
        "github_pat_0123456789abcdefghijAB_0123456789abcdefghijABCDEFGHIJ0123456789abcdefghijABCDEFGHI,"
                + " github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}",
        "01234567-89ab-cdef-0123-456789abcdef, [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        "0123456789abcdef0123456789abcdef, [0-9a-f]{32}",
    })
    void a_decoy_has_the_shape_of_the_key(String key, String shape) {
        assertThat(like(key)).matches(shape).isNotEqualTo(key);
    }

    /// Two values that others have published as examples: the checksum is the one that GitHub describes.
    @ParameterizedTest
    @CsvSource({"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, ghp_", "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, npm_"})
    void a_checksum_is_right_where_one_is_published(String key, String prefix) {
        assertThat(checksum(key.substring(4, 34))).isEqualTo(key.substring(34));
        var decoy = like(key);
        assertThat(decoy).startsWith(prefix).hasSize(40);
        assertThat(decoy.substring(34)).isEqualTo(checksum(decoy.substring(4, 34)));
    }

    private static String checksum(String random) {
        var crc = new CRC32();
        crc.update(random.getBytes(US_ASCII));
        var text = new StringBuilder();
        for (long rest = crc.getValue(); text.length() < 6; rest /= 62) {
            text.append(BASE62.charAt((int) (rest % 62)));
        }
        return text.reverse().toString();
    }

    /// Twenty characters of base 32 have 80 random bits; the length gives way.
    @ParameterizedTest
    @CsvSource({
        "AKIAIOSFODNN7EXAMPLE, AKIA[A-Z2-7]{26}",
        "12345678, [0-9]{39}",
        "hunter2, [a-z0-9]{25}",
        "p, [0-9a-z]{25}",
    })
    void a_short_form_becomes_longer_rather_than_guessable(String key, String shape) {
        assertThat(like(key)).matches(shape);
    }

    @Test
    void a_web_token_keeps_its_head_and_says_that_it_does_not_end_soon() {
        var encoder = Base64.getUrlEncoder().withoutPadding();
        var head = encoder.encodeToString("{\"alg\":\"RS256\",\"typ\":\"JWT\"}".getBytes(US_ASCII));
        var token = head + "." + encoder.encodeToString("{\"sub\":\"ada\",\"exp\":1}".getBytes(US_ASCII)) + "."
                + "S".repeat(86);

        var parts = like(token).split("\\.", -1);

        assertThat(parts).hasSize(3);
        assertThat(parts[0]).isEqualTo(head);
        assertThat(new String(Base64.getUrlDecoder().decode(parts[1]), US_ASCII))
                .startsWith("{\"exp\":4102444800,\"jti\":\"")
                .doesNotContain("ada");
        assertThat(parts[2]).hasSizeGreaterThanOrEqualTo(43).doesNotContain("SSSSSSSS");
    }

    @Test
    void bytes_that_are_no_text_get_letters_and_digits() {
        var value = "\u00ff\u0001 binary \u0080 value with blanks";
        assertThat(like(value)).matches("[A-Za-z0-9]+").hasSameSizeAs(value);
    }

    @Test
    void the_longest_value_gets_a_decoy_that_fits_a_header() {
        assertThat(like("a1".repeat(SecretValue.MOST / 2))).hasSize(Decoys.LONGEST);
    }

    @Test
    void decoys_are_new_each_time() {
        var seen = new HashSet<String>();
        for (int i = 0; i < 1_000; i++) {
            assertThat(seen.add(like("sk-ant-api03-0123456789abcdefghijABCDEFGHIJ")))
                    .isTrue();
        }
    }

    /// What is left of the value is what every key of the kind has.
    @Test
    void nothing_of_the_value_is_in_its_decoy() {
        var random = "QWERTYUIOPqwertyuiop1234567890asdfghjkl";
        var decoy = like("sk-ant-api03-" + random);
        int same = 0;
        for (int i = 0; i < random.length(); i++) {
            same += decoy.charAt(13 + i) == random.charAt(i) ? 1 : 0;
        }
        assertThat(same).isLessThan(12);
    }

    @Test
    void a_log_ins_web_token_keeps_head_and_claims_and_gets_a_signature_of_its_own() {
        var base64 = Base64.getUrlEncoder().withoutPadding();
        var claims = base64.encodeToString("{\"email\":\"ada@example.com\",\"exp\":1}".getBytes(US_ASCII));
        var head = base64.encodeToString("{\"alg\":\"RS256\"}".getBytes(US_ASCII));
        var token = head + "." + claims + "." + "S".repeat(342);
        try (var secret = SecretValue.copyOf(token.getBytes(US_ASCII))) {
            var first = new String(decoys.likeToken(secret), US_ASCII);
            var second = new String(decoys.likeToken(secret), US_ASCII);

            assertThat(first).startsWith(head + "." + claims + ".").hasSize(token.length());
            assertThat(first.substring(first.lastIndexOf('.') + 1)).matches("[A-Za-z0-9_-]{342}");
            assertThat(second).isNotEqualTo(first).isNotEqualTo(token);
        }
    }

    @Test
    void a_web_token_without_a_signature_gets_one_that_nobody_guesses() {
        try (var secret = SecretValue.copyOf("eyJhbGciOiJub25lIn0.e30.".getBytes(US_ASCII))) {
            assertThat(new String(decoys.likeToken(secret), US_ASCII))
                    .matches("eyJhbGciOiJub25lIn0\\.e30\\.[A-Za-z0-9_-]{22}");
        }
    }

    @Test
    void a_log_ins_other_token_is_drawn_like_any_key() {
        try (var secret = SecretValue.copyOf("sk-ant-ort01-0123456789abcdefghijABCDEFGHIJ".getBytes(US_ASCII))) {
            assertThat(new String(decoys.likeToken(secret), US_ASCII)).matches("sk-ant-ort01-[A-Za-z0-9_-]{30}");
        }
    }
}
