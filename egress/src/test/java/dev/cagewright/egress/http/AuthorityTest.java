package dev.cagewright.egress.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.match.HostPattern;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorityTest {
    @ParameterizedTest
    @CsvSource({
        "a.test, a.test:443",
        "a.test:443, a.test:443",
        "a.test:1, a.test:1",
        "a.test:65535, a.test:65535",
        "A.TEST:8443, a.test:8443",
        "a.test.:8443, a.test:8443",
        "a_b.test, a_b.test:443",
        "localhost:3000, localhost:3000",
        "xn--bcher-kva.test, xn--bcher-kva.test:443",
        "10.0.0.5:5432, 10.0.0.5:5432",
        "[::1]:8443, [::1]:8443",
        "[2001:DB8:0::1], [2001:db8::1]:443",
    })
    void an_authority_is_a_host_and_a_port_in_one_spelling(String text, String written) throws BadAuthorityException {
        assertThat(Authority.parse(text, 443)).hasToString(written);
        assertThat(Authority.parse(Authority.parse(text, 443).toString(), 80)).isEqualTo(Authority.parse(text, 443));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.test:65979",
                "a.test:65536",
                "a.test:0443",
                "a.test:0",
                "a.test:+443",
                "a.test:-1",
                "a.test:443 ",
                "a.test: 443",
                "a.test:",
                "a.test:4 43",
                "a.test:\u0664\u0664\u0663",
                "a.test:\uff14\uff14\uff13",
                "a.test:0x1bb",
                "a.test:443:443",
                "a.test:443/",
                "a.test:99999999999999999999",
                "[::1]:",
                "[::1]:0443"
            })
    void B026_a_port_is_decimal_ascii_from_1_to_65535(String text) {
        assertThatThrownBy(() -> Authority.parseWithPort(text))
                .isInstanceOf(BadAuthorityException.class)
                .hasMessageEndingWith("(expected: a port from 1 to 65535 in decimal)");
        assertThatThrownBy(() -> Authority.parse(text, 443)).isInstanceOf(BadAuthorityException.class);
    }

    @Test
    void B026_a_tunnel_needs_a_port_of_its_own() throws BadAuthorityException {
        assertThatThrownBy(() -> Authority.parseWithPort("a.test"))
                .isInstanceOf(BadAuthorityException.class)
                .hasMessage("host: a.test (expected: host:port)");
        assertThat(Authority.parseWithPort("a.test:443")).hasToString("a.test:443");
    }

    @ParameterizedTest
    @CsvSource({
        "x.a.test, true",
        "X.A.TEST, true",
        "x.a.test., true",
        "b.test, true",
        "B.TEST., true",
        "a.test, false",
        "A.TEST., false",
        "evila.test, false",
        "a.test.evil.test, false",
        "xb.test, false",
        "b.test.evil, false",
    })
    void B028_hosts_are_compared_label_by_label(String text, boolean isAllowed) throws BadAuthorityException {
        var host = Authority.parse(text, 443).host();

        assertThat(HostPattern.parse("host", "*.a.test").matches(host)
                        || HostPattern.parse("host", "b.test").matches(host))
                .isEqualTo(isAllowed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".a.test",
                "a.test..",
                "a..test",
                ".",
                "",
                ":443",
                "a.test%00.evil.test",
                "a%2etest",
                "a.test\u0000.evil.test",
                "a.test\r\nHost: b.test",
                "a.test b.test",
                "a.test,b.test",
                "*.a.test",
                "b\u00fccher.test",
                "B\u00dcCHER.TEST",
                "\uff41.test",
                "a\u3002test",
                "\u212aelvin.test",
                "i\u0307.test",
                "a.test\u00ad"
            })
    void B028_B058_what_is_no_name_is_refused_and_never_repaired(String text) {
        assertThatThrownBy(() -> Authority.parse(text, 443))
                .isInstanceOf(BadAuthorityException.class)
                .hasMessageEndingWith("(expected: a DNS name of letters, digits, '-' and '_', or an IP address)")
                .message()
                .matches("\\P{Cntrl}+");
    }

    @Test
    void B058_a_label_of_64_bytes_and_a_name_of_254_are_refused() throws BadAuthorityException {
        var label = "a".repeat(63);
        var longest = label + "." + label + "." + label + "." + "a".repeat(61);

        assertThat(Authority.parse(longest, 443).host().value()).hasSize(253);
        for (String text : List.of("a" + label + ".test", longest + "a", "a".repeat(100_000))) {
            assertThatThrownBy(() -> Authority.parse(text, 443))
                    .isInstanceOf(BadAuthorityException.class)
                    .message()
                    .hasSizeLessThan(400);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.test:x@b.test",
                "a.test@b.test",
                "@b.test",
                "a.test:443@b.test:443",
                "b.test#@a.test",
                "a.test\\@b.test",
                "a.test\\",
                "a.test/",
                "a.test?",
                "a.test#",
                "http://a.test",
                "a.test;b",
            })
    void B033_user_information_backslash_and_fragment_are_refused(String text) {
        assertThatThrownBy(() -> Authority.parse(text, 443)).isInstanceOf(BadAuthorityException.class);
        assertThatThrownBy(() -> Authority.parseWithPort(text)).isInstanceOf(BadAuthorityException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://a.test@b.test/",
                "http://a.test:443@b.test:443/",
                "http://b.test#@a.test/",
                "http://a.test\\@b.test/",
                "http://a.test\\.b.test/",
                "http:///a.test/",
                "http:a.test/",
                "http:/a.test/",
                "//a.test/",
                "/path",
                "*",
                "ftp://a.test/",
                "javascript://a.test/",
                " http://a.test/",
                "http ://a.test/",
                "http://a.test /",
                "http://a.test/x y",
                "http://a.test/x\r\ny",
                "http://a.test/#x",
                "http://a.test/?x#y",
                "http://a.test/\u00e4",
                "http://a.test:0/",
                "http://[::1/",
            })
    void B033_an_absolute_target_has_one_host_and_no_fragment(String target) {
        assertThatThrownBy(() -> AbsoluteForm.parse(target)).isInstanceOf(BadAuthorityException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "http://a.test, http, a.test:80, /",
        "HTTP://A.TEST/X, http, a.test:80, /X",
        "https://a.test:8443/x?y=/@b, https, a.test:8443, /x?y=/@b",
        "https://a.test?x, https, a.test:443, /?x",
        "http://[::1]:3000/, http, [::1]:3000, /",
    })
    void an_absolute_target_is_read(String target, String scheme, String authority, String path)
            throws BadAuthorityException {
        var form = AbsoluteForm.parse(target);

        assertThat(form.scheme()).isEqualTo(scheme);
        assertThat(form.authority()).hasToString(authority);
        assertThat(form.pathAndQuery()).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "::1:8443",
                "::1",
                "2001:db8::1",
                "[::1%25lo]:8443",
                "[::1%lo]:8443",
                "[::1",
                "::1]",
                "[]",
                "[]:443",
                "[127.0.0.1]:443",
                "[a.test]:443",
                "[::1]x:443",
                "[[::1]]:443",
                "[v1.x]:443",
                "[::1].:443",
                " [::1]:443"
            })
    void B039_ipv6_stands_in_brackets_without_a_zone(String text) {
        assertThatThrownBy(() -> Authority.parse(text, 443)).isInstanceOf(BadAuthorityException.class);
        assertThatThrownBy(() -> Authority.parseWithPort(text)).isInstanceOf(BadAuthorityException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[::ffff:127.0.0.1]:8443", "[::ffff:7f00:1]:8443", "[0:0:0:0:0:FFFF:7f00:0001]:8443"})
    void B039_B049_a_mapped_address_is_judged_and_written_as_its_ipv4_address(String text)
            throws BadAuthorityException {
        assertThat(Authority.parse(text, 443)).isEqualTo(new Authority(new HostName("127.0.0.1"), 8443));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2130706433",
                "0x7f000001",
                "0X7F000001",
                "0177.0.0.1",
                "010.0.0.1",
                "127.1",
                "127.0.1",
                "0",
                "0.0.0.0.",
                "1.2.3.4.",
                "1.2.3.256",
                "1.2.3.4.5",
                "127.0.0.0x1",
                "\u2460\u2461\u2466.0.0.1",
                "a.test.1",
            })
    void B051_a_number_is_a_dotted_quad_or_refused(String text) {
        assertThatThrownBy(() -> Authority.parse(text, 80))
                .isInstanceOf(BadAuthorityException.class)
                .hasMessageEndingWith("(expected: an IPv4 address as four decimal numbers without leading zeros)");
    }

    @Test
    void what_is_written_for_a_scheme_leaves_its_port_out() throws BadAuthorityException {
        assertThat(Authority.parse("a.test:443", 80).text(443)).isEqualTo("a.test");
        assertThat(Authority.parse("a.test:443", 80).text(80)).isEqualTo("a.test:443");
        assertThat(Authority.parse("[::1]", 80).text(80)).isEqualTo("[::1]");
    }

    @Test
    void B045_capitals_are_folded_alike_in_every_locale() throws BadAuthorityException {
        var before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr-TR"));
            assertThat(Authority.parse("API.INTERNAL.TEST", 443).host().value()).isEqualTo("api.internal.test");
            assertThat(AbsoluteForm.parse("HTTPS://I.TEST/").scheme()).isEqualTo("https");
        } finally {
            Locale.setDefault(before);
        }
    }
}
