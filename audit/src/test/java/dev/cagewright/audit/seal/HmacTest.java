package dev.cagewright.audit.seal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// Vectors: RFC 4231, test cases 1 to 4.
class HmacTest {
    private final Hmac hmac = new Hmac();

    @Test
    void the_vectors_of_rfc_4231_come_out() {
        assertThat(hex("0b".repeat(20), "Hi There".getBytes(US_ASCII)))
                .isEqualTo("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
        assertThat(hex("4a656665", "what do ya want for nothing?".getBytes(US_ASCII)))
                .isEqualTo("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
        assertThat(hex("aa".repeat(20), HexFormat.of().parseHex("dd".repeat(50))))
                .isEqualTo("773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
        assertThat(hex(
                        "0102030405060708090a0b0c0d0e0f10111213141516171819",
                        HexFormat.of().parseHex("cd".repeat(50))))
                .isEqualTo("82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
    }

    @Test
    void another_key_or_another_text_gives_another_code() {
        var text = "next".getBytes(US_ASCII);

        assertThat(hex("00".repeat(32), text)).isNotEqualTo(hex("01".repeat(32), text));
        assertThat(hex("00".repeat(32), text)).isNotEqualTo(hex("00".repeat(32), "nexu".getBytes(US_ASCII)));
    }

    private String hex(String key, byte[] text) {
        return HexFormat.of().formatHex(hmac.of(HexFormat.of().parseHex(key), text));
    }
}
