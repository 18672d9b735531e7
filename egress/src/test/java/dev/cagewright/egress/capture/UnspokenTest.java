package dev.cagewright.egress.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// No credential's value is kept, and nothing else is lost.
class UnspokenTest {
    private static String kept(String name, String value) {
        return Unspoken.fields(List.of(Map.entry(name, value))).getFirst().value();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Authorization       | Bearer s3cr3t-Value       | Bearer [not kept]
                    authorization       | Basic dXNlcjpzM2NyM3Q=    | Basic [not kept]
                    Authorization       | s3cr3t-Value              | [not kept]
                    Authorization       | s3cr3t and more           | [not kept]
                    Proxy-Authorization | Basic dXNlcjpwdw==        | Basic [not kept]
                    X-Api-Key           | s3cr3t                    | [not kept]
                    Cookie              | sid=s3cr3t; theme=dark    | sid=[not kept]; theme=[not kept]
                    Cookie              | s3cr3t                    | [not kept]
                    Set-Cookie          | sid=s3=cr3t; Path=/; Secure | sid=[not kept]; Path=/; Secure
                    Location            | https://u:s3cr3t@a.test/x | https://a.test/x
                    Location            | /cb#access_token=s3cr3t&x=1 | /cb#access_token=%5Bnot%20kept%5D&x=1
                    Accept              | text/html                 | text/html
                    X-Authorization-Id  | 17                        | 17
                    """)
    void the_value_of_a_credential_stays_away_and_its_name_is_there(String name, String value, String kept) {
        assertThat(kept(name, value)).isEqualTo(kept);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    https://a.test/x?api_key=s3cr3t&q=1        | https://a.test/x?api_key=%5Bnot%20kept%5D&q=1
                    https://a.test/x?X-Amz-Signature=ab&Expires=5 | https://a.test/x?X-Amz-Signature=%5Bnot%20kept%5D&Expires=5
                    https://a.test/x?keyboard=us&tokens=3      | https://a.test/x?keyboard=us&tokens=3
                    https://a.test/token=1                     | https://a.test/token=1
                    https://a.test/@user                       | https://a.test/@user
                    https://a.test                             | https://a.test
                    """)
    void what_a_url_gives_away_stays_away(String url, String kept) {
        assertThat(Unspoken.url(url)).isEqualTo(kept);
    }

    @Test
    void fields_keep_their_order_and_their_spelling() {
        assertThat(Unspoken.fields(List.of(Map.entry("B", "2"), Map.entry("a", "1"), Map.entry("B", "3"))))
                .containsExactly(new Field("B", "2"), new Field("a", "1"), new Field("B", "3"));
    }
}
