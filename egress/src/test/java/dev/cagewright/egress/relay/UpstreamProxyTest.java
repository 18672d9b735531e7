package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.egress.tls.Trust.Roots;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Upstream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A gateway that gets out by way of a proxy. `a.test` has no address on this machine: only the proxy knows it.
class UpstreamProxyTest {
    @SuppressWarnings("NullAway") // set when a test begins
    private Origin origin;

    @SuppressWarnings("NullAway") // set when a test begins
    private Origin proxy;

    @SuppressWarnings("NullAway") // set when a test begins
    private Bench bench;

    @AfterEach
    void close() throws Exception {
        bench.close();
        proxy.close();
        origin.close();
    }

    private void open(Origin.Script answering, Origin.Script asked) throws Exception {
        origin = Origin.clear(answering);
        open(asked, Bench.Terms.USUAL, Optional.empty());
    }

    private void open(Origin.Script asked, Bench.Terms terms, Optional<Roots> roots) throws Exception {
        proxy = Origin.clear(asked);
        var url = Upstream.Proxy.parse("proxy", "http://127.0.0.1:" + proxy.port());
        bench = new Bench(origin.port(), roots, terms.with(url));
    }

    private static void hello(Origin.Talk talk) throws IOException {
        while (!talk.head().isEmpty()) {
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
        }
    }

    /// What a proxy does: it says yes and joins the two.
    private void tunnel(Origin.Talk talk) throws IOException {
        talk.head();
        try (var onwards = new Socket(InetAddress.getLoopbackAddress(), origin.port())) {
            talk.say("HTTP/1.1 200 Connection established\r\nVia: 1.1 proxy\r\nContent-Length: 9\r\n\r\n");
            var there = Thread.ofVirtual().start(() -> pump(talk.in(), onwards));
            onwards.getInputStream().transferTo(talk.socket().getOutputStream());
            talk.socket().shutdownOutput();
            there.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pump(InputStream from, Socket to) {
        try {
            from.transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException _) {
            return;
        }
    }

    private String get() throws IOException {
        return bench.ask(
                Bench.ALLOWED, "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\n\r\n");
    }

    @Test
    void a_request_in_the_clear_goes_through_a_tunnel_by_name() throws Exception {
        open(UpstreamProxyTest::hello, this::tunnel);
        assertThat(get()).startsWith("HTTP/1.1 200 OK\r\n").endsWith("hello");
        assertThat(proxy.heads)
                .containsExactly("CONNECT a.test:" + origin.port() + " HTTP/1.1|Host: a.test:" + origin.port());
        assertThat(origin.heads).singleElement().asString().startsWith("GET /ok HTTP/1.1|Host: a.test:");
        assertThat(bench.nextEnd()).isEqualTo("200 Complete[] sent 0 received 5");
    }

    @Test
    void requests_that_follow_each_other_share_a_tunnel() throws Exception {
        open(UpstreamProxyTest::hello, this::tunnel);
        var request = "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\n\r\n";
        var last = request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
        assertThat(bench.ask(Bench.ALLOWED, request + request + last).split("hello", -1))
                .hasSize(4);
        assertThat(proxy.heads).hasSize(1);
        assertThat(origin.heads).hasSize(3);
    }

    @Test
    void a_denied_request_asks_no_proxy() throws Exception {
        open(UpstreamProxyTest::hello, this::tunnel);
        var answer = bench.ask(
                Bench.ALLOWED, "GET /no HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 403 Forbidden\r\n");
        assertThat(proxy.heads).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"a.test,200 OK", "other.test,502 Bad Gateway"})
    void tls_is_with_the_origin_and_verified_through_the_tunnel(String certified, String status) throws Exception {
        var outside = CageAuthority.create("outside");
        origin = new Origin(TlsSockets.server(outside.leafFor(new HostName(certified))), UpstreamProxyTest::hello);
        open(this::tunnel, Bench.Terms.USUAL, Optional.of(new Roots.Own("outside.pem", Bench.pem(outside))));
        try (var plain = bench.connect(Bench.ALLOWED);
                var tls = TlsSockets.client(bench.authority, plain, "a.test")) {
            tls.getOutputStream()
                    .write(("GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(Bench.readAll(tls)).startsWith("HTTP/1.1 " + status + "\r\n");
        }
        assertThat(proxy.heads).isNotEmpty().allMatch(head -> head.startsWith("CONNECT a.test:"));
    }

    @Test
    void what_comes_behind_the_proxys_answer_is_the_origins() throws Exception {
        origin = Origin.clear(UpstreamProxyTest::hello);
        open(
                talk -> {
                    talk.head();
                    talk.say("HTTP/1.1 102 Wait\r\n\r\nHTTP/1.0 200\r\nX: y\r\n\r\n220 ready\r\n");
                    talk.say("250 " + talk.bytes(4));
                },
                Bench.Terms.USUAL.with(HostRule.Protocol.TCP),
                Optional.empty());
        try (var socket = bench.connect(Bench.ALLOWED)) {
            var greeting = new String(socket.getInputStream().readNBytes(11), StandardCharsets.US_ASCII);
            assertThat(greeting).isEqualTo("220 ready\r\n");
            socket.getOutputStream().write("HELO".getBytes(StandardCharsets.US_ASCII));
            assertThat(Bench.readAll(socket)).isEqualTo("250 HELO");
        }
        assertThat(bench.nextEnd()).contains("Complete[] sent 4 received 19");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "HTTP/1.1 407 Proxy Authentication Required; answered 407 Proxy Authentication Required to CONNECT a.test:",
                "HTTP/1.1 503 \u001b[31mno; answered what cannot be read",
                "HTTP/1.1 403; answered 403 to CONNECT a.test:",
                "HTTP/1.1 302 Found; answered 302 Found to CONNECT a.test:",
                "HTTP/1.1 101 Switching; answered 101 Switching to CONNECT a.test:",
                "HTTP/2 200 OK; answered what cannot be read",
                "HTTP/1.1  200 OK; answered what cannot be read",
                "200 OK; answered what cannot be read",
                "SSH-2.0-OpenSSH; answered what cannot be read"
            })
    void an_answer_that_is_no_yes_is_502_with_what_the_proxy_said(String line, String why) throws Exception {
        open(UpstreamProxyTest::hello, talk -> {
            talk.head();
            talk.say(line + "\r\nContent-Length: 0\r\n\r\n");
        });
        assertThat(get())
                .startsWith("HTTP/1.1 502 Bad Gateway\r\n")
                .contains("the proxy http://127.0.0.1:" + proxy.port() + " " + why)
                .doesNotContain("\u001b");
        assertThat(origin.heads).isEmpty();
    }

    @Test
    void a_head_without_an_end_and_a_silent_close_are_502() throws Exception {
        open(UpstreamProxyTest::hello, talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\nX: " + "x".repeat(20_000));
        });
        assertThat(get()).startsWith("HTTP/1.1 502").contains("a head of more than 16384 bytes");
        bench.close();
        proxy.close();
        open(Origin.Talk::head, Bench.Terms.USUAL, Optional.empty());
        assertThat(get()).startsWith("HTTP/1.1 502").contains("closed the connection without an answer");
        bench.close();
        proxy.close();
        open(
                talk -> {
                    talk.head();
                    talk.say("HTTP/1.1 200 OK\n\n");
                },
                Bench.Terms.USUAL,
                Optional.empty());
        assertThat(get()).startsWith("HTTP/1.1 502").contains("closed the connection without an answer");
    }

    @Test
    void a_proxy_that_is_not_there_is_502_and_named() throws Exception {
        open(UpstreamProxyTest::hello, this::tunnel);
        bench.close();
        // a port that is taken and does not listen
        try (var nobody = new Socket()) {
            nobody.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var url = "http://127.0.0.1:" + nobody.getLocalPort();
            bench = new Bench(
                    origin.port(), Optional.empty(), Bench.Terms.USUAL.with(Upstream.Proxy.parse("proxy", url)));
            assertThat(get()).startsWith("HTTP/1.1 502").contains("the proxy " + url + " at 127.0.0.1: ");
        }
    }
}
