package dev.cagewright.egress.inspect.credential;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each published format: found as it is, at every cut, encoded; and what is nearly one is none.
class CredentialsTest {
    private static final String AFTER = "\" }\n";

    /// What is found in pieces of a text, as `kind/layers`.
    private static List<String> found(String... pieces) {
        var found = new ArrayList<String>();
        var credentials = new Credentials((kind, layers, _) -> found.add(kind + "/" + layers));
        for (String piece : pieces) {
            var bytes = piece.getBytes(StandardCharsets.ISO_8859_1);
            credentials.next(bytes, 0, bytes.length);
            credentials.clearedTo();
        }
        credentials.end();
        return found;
    }

    static List<Samples.Sample> samples() {
        return Samples.all().toList();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void a_credential_is_found_in_text_in_a_value_at_the_end_and_behind_an_escape(Samples.Sample sample) {
        var kind = sample.format().kind() + "/0";
        assertThat(found("my key is " + sample.text() + AFTER)).contains(kind);
        assertThat(found("{\"k\":\"" + sample.text() + AFTER)).contains(kind);
        assertThat(found(sample.text())).contains(kind);
        assertThat(found("{\"k\":\"line\\n" + sample.text() + AFTER)).contains(kind);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void what_is_one_letter_short_is_none(Samples.Sample sample) {
        var text = sample.text();
        assertThat(found("k " + text.substring(0, text.length() - 1) + AFTER))
                .doesNotContain(sample.format().kind() + "/0");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void another_prefix_is_none(Samples.Sample sample) {
        var prefix = sample.prefix();
        var other = prefix.substring(0, prefix.length() - 1) + "!";
        assertThat(found("k " + other + sample.body() + AFTER))
                .doesNotContain(sample.format().kind() + "/0");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void what_goes_on_is_none_where_the_length_is_known(Samples.Sample sample) {
        var last = sample.format().parts().getLast();
        var longer = sample.text() + Character.toString(Samples.members(last).getFirst());
        var found = found("k " + longer + AFTER);
        if (last.most() == last.least()) {
            assertThat(found).doesNotContain(sample.format().kind() + "/0");
        } else {
            assertThat(found).contains(sample.format().kind() + "/0");
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void it_is_found_at_every_cut_and_nothing_secret_goes_before(Samples.Sample sample) {
        var text = "k " + sample.text() + AFTER;
        int secretFrom = 2 + sample.prefix().length();
        for (int cut = 1; cut < text.length(); cut++) {
            var found = new ArrayList<String>();
            var credentials = new Credentials((kind, layers, _) -> found.add(kind + "/" + layers));
            var bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            credentials.next(bytes, 0, cut);
            if (found.isEmpty()) {
                assertThat(credentials.clearedTo())
                        .as("cut at %s", cut)
                        .isLessThanOrEqualTo(cut >= 2 + sample.text().length() + 1 ? cut : Math.max(secretFrom, 2))
                        .isGreaterThanOrEqualTo(Math.min(cut, 2));
            }
            credentials.next(bytes, cut, bytes.length);
            credentials.end();
            assertThat(found).as("cut at %s", cut).contains(sample.format().kind() + "/0");
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String perByte(String text, String form) {
        return text.chars().mapToObj(c -> String.format(form, c)).collect(Collectors.joining());
    }

    static List<UnaryOperator<String>> encodings() {
        return List.of(
                text -> base64(text),
                text -> base64("x" + text),
                text -> base64("xy" + text + "z"),
                text -> "path/" + base64(text),
                text -> Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(text.getBytes(StandardCharsets.ISO_8859_1)),
                text -> Base64.getMimeEncoder().encodeToString(("a: " + text).getBytes(StandardCharsets.ISO_8859_1)),
                CredentialsTest::hex,
                text -> "0x" + hex(text).toUpperCase(Locale.ROOT),
                text -> perByte(text, "%%%02x"),
                text -> perByte(text, "%%%02X"),
                text -> perByte(text, "\\u%04x"),
                text -> perByte(text, "\\x%02x"),
                text -> text.replace("_", "%5F").replace("-", "%2D").replace("A", "%41"));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void it_is_found_in_every_encoding_and_in_two_around_each_other(Samples.Sample sample) {
        for (var encoding : encodings()) {
            var once = encoding.apply("k " + sample.text() + " ");
            assertThat(found("{\"v\":\"" + once + AFTER))
                    .as(once)
                    .anyMatch(one -> one.startsWith(sample.format().kind() + "/"));
        }
        var twice = base64("v=" + perByte(" " + sample.text() + " ", "%%%02x"));
        assertThat(found("{\"v\":\"" + twice + AFTER)).contains(sample.format().kind() + "/2");
        assertThat(found("v=" + base64("abc " + base64(" " + sample.text() + " "))))
                .contains(sample.format().kind() + "/2");
    }

    @Test
    void three_encodings_around_each_other_are_not_undone() {
        var text = "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";
        assertThat(found(base64(base64(" " + text + " ")))).containsExactly("github_token/2");
        assertThat(found(base64(base64(base64(" " + text + " "))))).isEmpty();
    }

    @Test
    void a_wrong_checksum_is_no_token() {
        assertThat(found("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 ")).containsExactly("github_token/0");
        assertThat(found("ghp_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18 ")).isEmpty();
        assertThat(found("ghp_zQWBuTSOoRi4A9spHcVY5ncnsDkxkK0mLq17 ")).isEmpty();
    }

    @Test
    void ordinary_text_has_none() {
        assertThat(found("The quick brown fox asks disk-usage and task-list; risk-free, hf_hub, cio, SG. AKIA and sk-."
                        + " -----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ2\n-----END CERTIFICATE-----\n"
                        + "{\"aws_secret_access_key\": \"\", \"x\": \"-----BEGIN PRIVATE KEY-----\"}"))
                .isEmpty();
    }

    static List<String> hardTexts() {
        int size = 40_000;
        var random = new Random(7);
        var noise = new StringBuilder();
        for (int i = 0; i < size; i++) {
            noise.append((char) random.nextInt(256));
        }
        var all = new ArrayList<>(List.of(noise.toString(), base64(noise.toString()), hex(noise.toString())));
        for (String unit : List.of(
                "A",
                "0",
                "%",
                "%41",
                "\\",
                "\\u0041",
                "\n",
                "AKIA",
                "sk-",
                "sk-ant-",
                "sk-proj-",
                "ghp_",
                "glpat-",
                "xoxb-",
                "ops_eyJ",
                "eyJ",
                "hf_",
                "aws_secret_access_key ",
                "-----BEGIN RSA PRIVATE KEY-----",
                "a%41b",
                "QUtJ")) {
            all.add(unit.repeat(size / unit.length()));
        }
        Samples.all()
                .forEach(sample -> all.add(
                        (sample.text() + " ").repeat(2000 / sample.text().length() + 1)));
        return all;
    }

    @ParameterizedTest
    @MethodSource("hardTexts")
    void the_work_grows_with_the_text_and_no_faster(String text) {
        assertThat(steps(text)).isLessThan(60L * text.length());
        assertThat(steps(text + text)).isLessThan(steps(text) * 21 / 10 + 5000);
    }

    private static long steps(String text) {
        var credentials = new Credentials((_, _, _) -> {});
        var bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        credentials.next(bytes, 0, bytes.length);
        credentials.end();
        return credentials.steps();
    }
}
