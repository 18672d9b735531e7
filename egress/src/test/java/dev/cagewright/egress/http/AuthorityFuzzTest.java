package dev.cagewright.egress.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.cagewright.egress.address.IpAddress;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Any text is one authority with one spelling, which others read alike, or a refusal. Run as a test this reads the
/// committed inputs; with `JAZZER_FUZZ=1` in the environment it looks for new ones.
class AuthorityFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void any_text_is_an_authority_in_one_spelling_or_a_refusal(byte[] bytes) throws BadAuthorityException {
        var text = new String(bytes, StandardCharsets.UTF_8);
        Authority authority;
        try {
            authority = Authority.parse(text, 443);
        } catch (BadAuthorityException e) {
            assertThat(e.getMessage()).hasSizeLessThan(4000).matches("\\P{Cntrl}+");
            return;
        }
        assertThat(text).matches("[A-Za-z0-9._:\\[\\]-]+");
        assertThat(authority.toString()).matches("([a-z0-9._-]+|\\[[0-9a-f:]+]):[1-9][0-9]*");
        assertThat(Authority.parse(authority.toString(), 80)).isEqualTo(authority);
        assertThat(Authority.parseWithPort(authority.toString())).isEqualTo(authority);
    }

    @FuzzTest(maxDuration = "2m")
    void an_absolute_target_has_the_host_that_the_jdk_reads_or_is_refused(byte[] bytes) throws URISyntaxException {
        var text = new String(bytes, StandardCharsets.UTF_8);
        AbsoluteForm form;
        try {
            form = AbsoluteForm.parse(text);
        } catch (BadAuthorityException e) {
            assertThat(e.getMessage()).hasSizeLessThan(4000).matches("\\P{Cntrl}+");
            return;
        }
        assertThat(form.pathAndQuery()).startsWith("/").matches("[!-~]+").doesNotContain("#");
        var authority = text.substring(text.indexOf("//") + 2).split("[/?]", 2)[0];
        var peer = new URI("http://" + authority + "/");
        if (peer.getHost() != null
                && IpAddress.parse(form.authority().host().value()).isEmpty()) {
            var host = peer.getHost().toLowerCase(Locale.ROOT);
            assertThat(form.authority().host().value())
                    .isEqualTo(host.endsWith(".") ? host.substring(0, host.length() - 1) : host);
            assertThat(peer.getUserInfo()).isNull();
        }
    }

    @FuzzTest(maxDuration = "2m")
    void an_address_is_the_one_that_the_jdk_reads_or_none(byte[] bytes) {
        var text = new String(bytes, StandardCharsets.UTF_8);
        IpAddress.parse(text).ifPresent(address -> {
            assertThat(IpAddress.of(InetAddress.ofLiteral(text))).isEqualTo(address);
            assertThat(IpAddress.parse(address.toString())).contains(address);
        });
    }
}
