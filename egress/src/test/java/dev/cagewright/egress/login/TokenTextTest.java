package dev.cagewright.egress.login;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.secrets.value.SecretValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTextTest {
    private static final String ONE = "token-0123456789abcdef";
    private static final String TWO = "token/ABCDEF+GHIJKLMNOP==";

    /// Of an end point that has `access_token` and `refresh_token`.
    private record Usual(Reading reading) implements TokenSource {
        @Override
        public Set<String> fields() {
            return Set.of("access_token", "refresh_token");
        }

        @Override
        public List<HeldSecret> renewable() {
            return List.of();
        }

        @Override
        public Map<String, byte[]> keep(Map<String, SecretValue> tokens, Set<String> renewed) {
            return Map.of();
        }
    }

    private static TokenText read(String text, TokenText.Form form, TokenSource.Reading reading)
            throws RefusedAnswerException {
        return TokenText.of(text.getBytes(US_ASCII), form, new Usual(reading));
    }

    private static TokenText strict(String json) throws RefusedAnswerException {
        return read(json, TokenText.Form.JSON, TokenSource.Reading.STRICT);
    }

    private static Map<String, String> tokens(TokenText text, TokenText.Form form) throws RefusedAnswerException {
        var all = new LinkedHashMap<String, String>();
        text.tokens(form).forEach((field, value) -> all.put(field, value.lend(bytes -> new String(bytes, US_ASCII))));
        return all;
    }

    private static Map<String, byte[]> decoys(String one, String two) {
        return Map.of("access_token", one.getBytes(US_ASCII), "refresh_token", two.getBytes(US_ASCII));
    }

    @Test
    void tokens_are_taken_out_and_everything_else_stays_as_it_is() throws RefusedAnswerException {
        var json = " {\"token_type\": \"Bearer\", \"access_token\" : \"" + ONE + "\",\n \"refresh_token\":\""
                + TWO.replace("/", "\\/") + "\", \"expires_in\":3.6e3, \"scope\":\"a b\", \"x\":[null,true,{}]} ";
        var text = strict(json);

        assertThat(tokens(text, TokenText.Form.JSON))
                .containsExactly(Map.entry("access_token", ONE), Map.entry("refresh_token", TWO));
        assertThat(new String(text.with(decoys("DECOY-1", "DECOY-2"), TokenText.Form.JSON), US_ASCII))
                .isEqualTo(json.replace(ONE, "DECOY-1").replace(TWO.replace("/", "\\/"), "DECOY-2"));
    }

    @Test
    void a_name_that_is_written_in_escapes_is_the_same_name() throws RefusedAnswerException {
        assertThat(tokens(strict("{\"access\\u005ftoken\":\"" + ONE + "\"}"), TokenText.Form.JSON))
                .containsEntry("access_token", ONE);
    }

    @Test
    void tokens_of_a_form_are_taken_out() throws RefusedAnswerException {
        var form = "access_token=" + ONE + "&scope=a+b&refresh_token=token%2FABCDEF%2BGHIJKLMNOP%3D%3D";
        var text = read(form, TokenText.Form.PAIRS, TokenSource.Reading.STRICT);

        assertThat(tokens(text, TokenText.Form.PAIRS))
                .containsEntry("access_token", ONE)
                .containsEntry("refresh_token", TWO);
        assertThat(new String(text.with(decoys("D-1", "D/2"), TokenText.Form.PAIRS), US_ASCII))
                .isEqualTo("access_token=D-1&scope=a+b&refresh_token=D%2F2");
    }

    @Test
    void an_error_and_an_absent_token_have_none() throws RefusedAnswerException {
        assertThat(strict("{\"error\":\"authorization_pending\"}").isEmpty()).isTrue();
        assertThat(strict("{\"access_token\":null,\"refresh_token\":\"\"}").isEmpty())
                .isTrue();
        assertThat(strict("[]").isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"account\":{\"access_token\":\"token-0123456789abcdef\"}}",
                "[{\"access_token\":\"token-0123456789abcdef\"}]",
                "{\"access_token\":{\"value\":\"token-0123456789abcdef\"}}",
                "{\"access_token\":[\"token-0123456789abcdef\"]}",
                "{\"access_token\":12345678901234567890}",
                "{\"id_token\":\"token-0123456789abcdef\"}",
                "{\"a\":[[{\"session_token\":\"\"}]]}",
                "{\"token\":\"token-0123456789abcdef\"}"
            })
    void a_token_where_none_belongs_is_refused(String json) {
        assertThatThrownBy(() -> strict(json))
                .isInstanceOf(RefusedAnswerException.class)
                .hasMessageContaining("has a token where the policy names none (");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"access_token\":\"token-0123456789abcdef\"",
                "{\"access_token\":\"a\",\"access_token\":\"b\"}",
                "{\"a\":1,}",
                "{'access_token':'token-0123456789abcdef'}",
                "{\"a\":01}",
                "{\"a\":\"\\u00g0\"}}",
                "{\"a\":\"line\nbreak\"}",
                "{} {}",
                "<html>"
            })
    void what_is_no_json_is_refused(String text) {
        assertThatThrownBy(() -> strict(text))
                .isInstanceOf(RefusedAnswerException.class)
                .hasMessage("the answer of the token end point is no JSON that can be read in one way only");
    }

    @Test
    void B270_ten_thousand_brackets_are_refused_and_thirty_are_not() throws RefusedAnswerException {
        assertThat(strict("[".repeat(30) + "]".repeat(30)).isEmpty()).isTrue();
        assertThatThrownBy(() -> strict("[".repeat(10_000))).isInstanceOf(RefusedAnswerException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"short", "has a blank in it 0123456789", "line\\nbreak-0123456789", "\\u00e9-0123456789abcdef"})
    void what_is_no_token_is_refused(String value) throws RefusedAnswerException {
        var text = strict("{\"access_token\":\"" + value + "\"}");
        assertThatThrownBy(() -> text.tokens(TokenText.Form.JSON))
                .isInstanceOf(RefusedAnswerException.class)
                .hasMessage("the access_token that the token end point gives is none (expected: 16 to 32768 visible"
                        + " characters)");
    }

    @Test
    void elsewhere_other_names_mean_nothing_and_the_named_ones_the_same() throws RefusedAnswerException {
        var watchful = TokenSource.Reading.WATCHFUL;
        assertThat(read("{\"session_token\":\"x\"}", TokenText.Form.JSON, watchful)
                        .isEmpty())
                .isTrue();
        assertThat(read("{\"access_token\":\"" + ONE + "\"}", TokenText.Form.JSON, watchful)
                        .isEmpty())
                .isFalse();
        assertThatThrownBy(() -> read("{\"a\":{\"access_token\":\"x\"}}", TokenText.Form.JSON, watchful))
                .isInstanceOf(RefusedAnswerException.class);
    }
}
