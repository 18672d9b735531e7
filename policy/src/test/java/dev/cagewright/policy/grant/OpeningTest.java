package dev.cagewright.policy.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OpeningTest {
    private static final HostName HOST = new HostName("api.a.test");
    private final Opening opening =
            Opening.parse("API.a.test.", List.of(443), List.of("get", "POST"), List.of("/v1/**", "/only"));

    @Test
    void an_opening_is_about_one_host_its_ports_methods_and_paths() {
        assertThat(opening).hasToString("GET, POST api.a.test:443 /v1/**, /only");
        assertThat(opening.covers(request("GET", "api.a.test", 443, "/v1/x"))).isTrue();
        assertThat(opening.covers(request("POST", "api.a.test", 443, "/only"))).isTrue();
        assertThat(opening.covers(new Action.NetConnect(HOST, 443))).isTrue();
        assertThat(opening.covers(new Action.DnsLookup(HOST))).isTrue();
    }

    @Test
    void what_differs_in_one_thing_is_not_covered() {
        assertThat(opening.covers(request("PUT", "api.a.test", 443, "/v1/x"))).isFalse();
        assertThat(opening.covers(request("GET", "b.api.a.test", 443, "/v1/x"))).isFalse();
        assertThat(opening.covers(request("GET", "a.test", 443, "/v1/x"))).isFalse();
        assertThat(opening.covers(request("GET", "api.a.test", 80, "/v1/x"))).isFalse();
        assertThat(opening.covers(request("GET", "api.a.test", 443, "/v10"))).isFalse();
        assertThat(opening.covers(request("GET", "api.a.test", 443, "/only/"))).isFalse();
        assertThat(opening.covers(new Action.NetConnect(HOST, 22))).isFalse();
        assertThat(opening.covers(new Action.DnsLookup(new HostName("x.api.a.test"))))
                .isFalse();
    }

    @Test
    void a_secret_is_never_part_of_one() {
        assertThat(opening.covers(new Action.SecretUse("key", HOST))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*.a.test",
                "*",
                "",
                "1.2.3.4",
                "0x7f.1",
                "2130706433",
                "::1",
                "fd00:ec2::254",
                "localhost",
                "x.localhost",
                "cagewright.internal",
                "github.internal",
                "internal",
                "a..test",
                "a.test/x",
                "a.test:443",
                "https://a.test",
                "a test",
                "a.test\n",
                "ａ.test"
            })
    void only_an_exact_name_of_another_machine_can_be_opened(String host) {
        assertThatThrownBy(() -> Opening.parse(host, List.of(443), List.of("GET"), List.of("/")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("host: ")
                .hasMessageContaining("one exact host name such as api.example.com");
    }

    @Test
    void lists_are_neither_empty_nor_long() {
        assertThatThrownBy(() -> Opening.parse("a.test", List.of(), List.of("GET"), List.of("/")))
                .hasMessage("ports: 0 entries (expected: 1 to 16; left out means the usual ones)");
        assertThatThrownBy(() -> Opening.parse("a.test", List.of(1), List.of(), List.of("/")))
                .hasMessageStartingWith("methods: 0 entries");
        assertThatThrownBy(() -> Opening.parse("a.test", List.of(1), List.of("GET"), Collections.nCopies(17, "/")))
                .hasMessageStartingWith("paths: 17 entries");
    }

    @Test
    void what_is_no_port_method_or_path_is_named() {
        assertThatThrownBy(() -> Opening.parse("a.test", List.of(0), List.of("GET"), List.of("/")))
                .hasMessage("ports: \"0\" (expected: 1 to 65535)");
        assertThatThrownBy(() -> Opening.parse("a.test", List.of(1), List.of("GET\r\nX"), List.of("/")))
                .hasMessage("methods: \"GET\\r\\nX\" (expected: an HTTP method such as GET)");
        assertThatThrownBy(() -> Opening.parse("a.test", List.of(1), List.of("GET"), List.of("v1")))
                .hasMessageStartingWith("paths: \"v1\" (expected: at position 0");
        assertThatThrownBy(() -> Opening.parse("a.test", List.of(1), List.of("GET"), List.of("/" + "a".repeat(2000))))
                .hasMessageEndingWith("(expected: at most 1024 characters)");
    }

    private static Action request(String method, String host, int port, String path) {
        return new Action.HttpRequest(method, new HostName(host), port, path);
    }
}
