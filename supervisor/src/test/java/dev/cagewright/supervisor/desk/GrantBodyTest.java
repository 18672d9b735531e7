package dev.cagewright.supervisor.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrantBodyTest {
    @Test
    void everything_that_may_be_said_is_read() throws BadBodyException {
        var request = GrantBody.parse(ByteString.of("""
                {"host": "API.example.com", "methods": ["get", "POST"], "paths": ["/v1/**"], "ports": [8443],
                 "why": "the build fetches \\u00fc", "for": "15m"}"""));
        assertThat(request.opening().host().value()).isEqualTo("api.example.com");
        assertThat(request.opening().methods()).isEqualTo(Set.of("GET", "POST"));
        assertThat(request.opening().ports()).isEqualTo(Set.of(8443));
        assertThat(request.opening().paths()).singleElement().hasToString("/v1/**");
        assertThat(request.why()).isEqualTo("the build fetches ü");
        assertThat(request.time()).isEqualTo(Duration.ofMinutes(15));
    }

    @Test
    void what_may_be_left_out_means_reading_for_an_hour() throws BadBodyException {
        var request = GrantBody.parse(ByteString.of("{\"host\":\"a.test\",\"why\":\"x\"}"));
        assertThat(request.opening().methods()).isEqualTo(Set.of("GET", "HEAD"));
        assertThat(request.opening().ports()).isEqualTo(Set.of(80, 443));
        assertThat(request.time()).isEqualTo(Duration.ofHours(1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                                                     | ``          | no body
            []                                                     | ``          | not an object
            {"host":"a.test","why":"x"                             | byte 26     | the text ends in the middle
            {"host":"a.test","why":"x"}{}                          | byte 27     | more text behind the value
            {"host":"a.test","host":"b.test","why":"x"}            | byte 17     | duplicate member
            {"host":"a.test","why":"x","secret":"KEY"}             | /secret     | an unknown member
            {"why":"x"}                                            | /host       | is missing
            {"host":"a.test"}                                      | /why        | is missing
            {"host":7,"why":"x"}                                   | /host       | no text
            {"host":null,"why":"x"}                                | /host       | no text
            {"host":"a.test","why":" "}                            | /why        | a reason in words
            {"host":"*.a.test","why":"x"}                          | /host       | one exact host name
            {"host":"10.0.0.5","why":"x"}                          | /host       | no address
            {"host":"0x7f000001","why":"x"}                        | /host       | no address
            {"host":"::1","why":"x"}                               | /host       | no address
            {"host":"localhost","why":"x"}                         | /host       | no name of this machine
            {"host":"cagewright.internal","why":"x"}               | /host       | no name of this machine
            {"host":"a.test:443","why":"x"}                        | /host       | one exact host name
            {"host":"http://a.test/","why":"x"}                    | /host       | one exact host name
            {"host":"a.test","why":"x","methods":"GET"}            | /methods    | no list
            {"host":"a.test","why":"x","methods":[]}               | /methods    | 1 to 16
            {"host":"a.test","why":"x","methods":["GET",["GET"]]}  | /methods/1  | no text
            {"host":"a.test","why":"x","methods":["G T"]}          | /methods    | an HTTP method
            {"host":"a.test","why":"x","paths":[{}]}               | /paths/0    | no text
            {"host":"a.test","why":"x","paths":["v1"]}             | /paths      | v1
            {"host":"a.test","why":"x","ports":[443,0]}            | /ports/1    | no port
            {"host":"a.test","why":"x","ports":[4.43e2]}           | /ports/0    | no port
            {"host":"a.test","why":"x","ports":[443.0]}            | /ports/0    | no port
            {"host":"a.test","why":"x","ports":[65536]}            | /ports      | 1 to 65535
            {"host":"a.test","why":"x","ports":["443"]}            | /ports/0    | no port
            {"host":"a.test","why":"x","for":"1 hour"}             | /for        | digits and ms, s, m, h or d
            {"host":"a.test","why":"x","for":"0m"}                 | /for        | more than 0
            {"host":"a.test","why":"x","for":"25h"}                | /for        | at most 24h
            {"host":"a.test","why":"x","for":3600}                 | /for        | no text
            """)
    void what_is_no_request_is_refused_by_its_place(String body, String at, String what) {
        assertThatThrownBy(() -> GrantBody.parse(ByteString.of(body)))
                .isInstanceOfSatisfying(
                        BadBodyException.class, wrong -> assertThat(wrong.at()).isEqualTo(at))
                .hasMessageContaining(what);
    }

    @Test
    void what_is_long_deep_or_odd_is_refused_in_few_words() {
        var long1 = "x".repeat(10_000);
        for (String body : new String[] {
            "{\"host\":\"" + long1 + "\",\"why\":\"x\"}",
            "{\"host\":\"a.test\",\"why\":\"" + long1 + "\"}",
            "{\"host\":\"a.test\",\"why\":\"x\",\"for\":\"" + long1 + "\"}",
            "{\"host\":\"a.test\",\"why\":\"x\",\"" + long1 + "\":1}",
            "{\"host\":\"a.test\",\"why\":\"x\",\"paths\":[\"" + long1 + "\"]}",
            "{\"host\":\"a\\u0000.test\\u001b[2J\",\"why\":\"x\"}",
            "[".repeat(16_000),
            "{\"a\":".repeat(3_000),
            "\u00ff\u0000"
        }) {
            assertThatThrownBy(() -> GrantBody.parse(ByteString.of(body)))
                    .isInstanceOf(BadBodyException.class)
                    .satisfies(wrong ->
                            assertThat(wrong.getMessage()).hasSizeLessThan(600).matches("\\P{Cntrl}+"));
        }
    }
}
