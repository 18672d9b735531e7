package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.egress.tls.TlsEngine;
import dev.cagewright.egress.tls.Trust.Roots;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.HostRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// TLS both ways: what the cage's client shakes hands with, and how the origin is verified.
class OpenedTlsTest {
    private final CageAuthority outside = CageAuthority.create("outside");

    @SuppressWarnings("NullAway") // set when a test begins
    private Origin origin;

    @SuppressWarnings("NullAway") // set when a test begins
    private Bench bench;

    private void open(String originsName, Bench.Terms terms, Optional<Roots> roots) throws Exception {
        origin = new Origin(TlsSockets.server(outside.leafFor(new HostName(originsName))), OpenedTlsTest::hello);
        bench = new Bench(origin.port(), roots, terms);
    }

    private void open(Bench.Terms terms) throws Exception {
        open("a.test", terms, Optional.of(new Roots.Own("outside.pem", Bench.pem(outside))));
    }

    private static void hello(Origin.Talk talk) throws IOException {
        talk.head();
        talk.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
    }

    /// A client that trusts `authority` and dials `address`.
    ///
    /// @param name the server name it says; empty for none
    private SSLSocket client(CageAuthority authority, String address, String name) throws Exception {
        var socket = TlsSockets.client(authority, bench.connect(address), address);
        var parameters = socket.getSSLParameters();
        parameters.setServerNames(name.isEmpty() ? List.of() : List.of(new SNIHostName(name)));
        if (!name.isEmpty()) {
            parameters.setEndpointIdentificationAlgorithm(null);
        }
        socket.setSSLParameters(parameters);
        return socket;
    }

    private String ask(SSLSocket socket, String host) throws IOException {
        try (socket) {
            socket.getOutputStream()
                    .write(("GET /ok HTTP/1.1\r\nHost: " + host + ":" + bench.port + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return Bench.readAll(socket);
        }
    }

    @AfterEach
    void close() throws Exception {
        if (bench != null) {
            bench.close();
            origin.close();
        }
    }

    @ParameterizedTest
    @EnumSource(TlsEngine.class)
    void an_allowed_name_is_opened_and_the_origin_is_verified(TlsEngine engine) throws Exception {
        open(Bench.Terms.USUAL.with(engine));
        var client = client(bench.authority, Bench.ALLOWED, "a.test");
        assertThat(ask(client, "a.test")).startsWith("HTTP/1.1 200 OK").endsWith("hello");
        assertThat(client.getSession().getPeerPrincipal().getName()).contains("a.test");
        assertThat(bench.decisions)
                .hasSize(1)
                .allMatch(one -> one.startsWith("allow HttpRequest[method=GET, host=a.test"));
        assertThat(bench.nextEnd()).isEqualTo("200 Complete[] sent 0 received 5");
    }

    @Test
    void a_name_that_no_rule_names_is_a_403_inside_tls() throws Exception {
        open(Bench.Terms.USUAL);
        assertThat(ask(client(bench.authority, Bench.DENIED, "b.test"), "b.test"))
                .startsWith("HTTP/1.1 403 Forbidden")
                .contains("\"decision\":\"bench-1\"");
    }

    @Test
    void a_name_at_the_address_of_refused_names_is_a_403_inside_tls() throws Exception {
        open(Bench.Terms.USUAL);
        assertThat(ask(client(bench.authority, Bench.NOBODY, "c.test"), "c.test"))
                .startsWith("HTTP/1.1 403 Forbidden")
                .contains("\"decision\":\"bench-1\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {Bench.NOBODY, Bench.ADDRESS})
    void B064_an_allowed_name_at_another_address_is_a_403_inside_tls(String address) throws Exception {
        open(Bench.Terms.USUAL);
        assertThat(ask(client(bench.authority, address, "a.test"), "a.test"))
                .startsWith("HTTP/1.1 403 Forbidden")
                .contains("which is not its address in this cage");
        assertThat(origin.heads).isEmpty();
    }

    @Test
    void B072_no_server_name_is_refused() throws Exception {
        open(Bench.Terms.USUAL);
        assertThatThrownBy(() -> ask(client(bench.authority, Bench.ALLOWED, ""), "a.test"))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("missing_extension");
        assertThat(bench.nextEnd()).isEqualTo("refused a.test: TLS names no server (SNI)");
    }

    @ParameterizedTest
    @EnumSource(HostRule.Inspection.class)
    void B074_another_server_name_is_refused(HostRule.Inspection inspection) throws Exception {
        open(Bench.Terms.USUAL.with(inspection));
        assertThatThrownBy(() -> ask(client(bench.authority, Bench.ALLOWED, "b.test"), "a.test"))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("unrecognized_name");
        assertThat(bench.nextEnd()).isEqualTo("refused a.test: TLS names b.test, dialled was a.test");
    }

    @Test
    void the_request_has_to_name_whom_tls_named() throws Exception {
        open(Bench.Terms.USUAL);
        assertThat(ask(client(bench.authority, Bench.ALLOWED, "a.test"), "b.test"))
                .startsWith("HTTP/1.1 400 Bad Request");
    }

    @Test
    void B074_what_is_not_to_be_opened_is_passed_on_as_it_is() throws Exception {
        open(Bench.Terms.USUAL.with(HostRule.Inspection.PASSED_THROUGH));
        assertThat(ask(client(outside, Bench.ALLOWED, "a.test"), "a.test")).endsWith("hello");
        assertThat(bench.decisions).containsExactly("allow NetConnect[host=a.test, port=" + bench.port + "]");
        assertThat(bench.nextEnd()).matches("Complete\\[] sent \\d{3,} received \\d{3,}");
    }

    @Test
    void a_tcp_rule_passes_bytes_on_and_lets_the_server_speak_first() throws Exception {
        origin = Origin.clear(talk -> {
            talk.say("welcome");
            talk.say("bye " + talk.bytes(2));
        });
        bench = new Bench(origin.port(), Optional.empty(), Bench.Terms.USUAL.with(HostRule.Protocol.TCP));
        try (var socket = bench.connect(Bench.ALLOWED)) {
            assertThat(new String(socket.getInputStream().readNBytes(7), StandardCharsets.US_ASCII))
                    .isEqualTo("welcome");
            socket.getOutputStream().write("hi".getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            assertThat(Bench.readAll(socket)).isEqualTo("bye hi");
        }
        assertThat(bench.nextEnd()).isEqualTo("Complete[] sent 2 received 13");
    }

    @Test
    void B047_a_denial_a_failed_dial_and_a_failed_handshake_are_on_record_with_their_reasons() throws Exception {
        open("a.test", Bench.Terms.USUAL, Optional.empty());
        ask(client(bench.authority, Bench.DENIED, "b.test"), "b.test");
        assertThat(bench.decisions).last().asString().startsWith("deny HttpRequest[method=GET, host=b.test");
        ask(client(bench.authority, Bench.ALLOWED, "a.test"), "a.test");
        assertThat(bench.nextEnd()).startsWith("502 Unreached[why=TLS with a.test:");
        origin.close();
        ask(client(bench.authority, Bench.ALLOWED, "a.test"), "a.test");
        assertThat(bench.nextEnd()).startsWith("502 Unreached[why=a.test:").contains("Connection refused");
    }

    @ParameterizedTest
    @EnumSource(TlsEngine.class)
    void B075_an_origin_of_another_name_is_a_502_with_the_cause(TlsEngine engine) throws Exception {
        open(
                "other.test",
                Bench.Terms.USUAL.with(engine),
                Optional.of(new Roots.Own("outside.pem", Bench.pem(outside))));
        assertThat(ask(client(bench.authority, Bench.ALLOWED, "a.test"), "a.test"))
                .startsWith("HTTP/1.1 502 Bad Gateway")
                .contains("a.test");
        assertThat(origin.heads).noneMatch(head -> head.startsWith("GET"));
    }

    @ParameterizedTest
    @EnumSource(TlsEngine.class)
    void B075_an_origin_that_nobody_vouches_for_is_a_502_with_the_cause(TlsEngine engine) throws Exception {
        open("a.test", Bench.Terms.USUAL.with(engine), Optional.empty());
        assertThat(ask(client(bench.authority, Bench.ALLOWED, "a.test"), "a.test"))
                .startsWith("HTTP/1.1 502 Bad Gateway")
                .contains("certification path");
        assertThat(bench.nextEnd()).startsWith("502 Unreached[why=TLS with a.test:");
    }
}
