package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A client that uses the cell's proxy by habit.
class ProxyUseTest {
    @SuppressWarnings("NullAway") // set when a test begins
    private Origin origin;

    @SuppressWarnings("NullAway") // set when a test begins
    private Bench bench;

    @BeforeEach
    void open() throws Exception {
        origin = Origin.clear(talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
        });
        bench = new Bench(origin.port(), Optional.empty(), Bench.Terms.USUAL);
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
        origin.close();
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String head(InputStream in) throws IOException {
        var head = new StringBuilder();
        int b = 0;
        while (b >= 0 && head.indexOf("\r\n\r\n") < 0) {
            b = in.read();
            head.append((char) b);
        }
        return head.toString();
    }

    private static String connect(String target) {
        return "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n\r\n";
    }

    private static String body(InputStream in, String head) throws IOException {
        int length = Integer.parseInt(head.replaceAll("(?is).*content-length: (\\d+).*", "$1"));
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    @Test
    void B041_a_denied_connect_is_told_and_the_connection_takes_another() throws Exception {
        try (var socket = bench.connectToProxy()) {
            var in = new BufferedInputStream(socket.getInputStream());
            say(socket, connect("b.test:" + bench.port));
            var refused = head(in);
            assertThat(refused)
                    .startsWith("HTTP/1.1 403 Forbidden\r\n")
                    .contains("application/problem+json")
                    .doesNotContainIgnoringCase("connection: close");
            assertThat(body(in, refused)).contains("\"rule\":\"default:deny\"", "\"decision\":\"", "b.test");
            say(socket, connect("a.test:" + bench.port));
            assertThat(head(in)).startsWith("HTTP/1.1 200 Connection established\r\n");
            say(socket, "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\n\r\n");
            assertThat(head(in)).startsWith("HTTP/1.1 200 OK\r\n");
            assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII)).isEqualTo("hello");
        }
        assertThat(bench.decisions)
                .hasSize(2)
                .first()
                .asString()
                .startsWith("deny NetConnect")
                .contains("b.test");
    }

    @Test
    void B041_a_denied_connect_with_both_in_one_write_is_told_in_order() throws Exception {
        try (var socket = bench.connectToProxy()) {
            var in = new BufferedInputStream(socket.getInputStream());
            say(socket, connect("b.test:" + bench.port) + connect("a.test:" + bench.port));
            var refused = head(in);
            assertThat(refused).startsWith("HTTP/1.1 403 Forbidden\r\n");
            assertThat(body(in, refused)).contains("b.test");
            assertThat(head(in)).startsWith("HTTP/1.1 200 Connection established\r\n");
        }
    }

    @Test
    void B041_a_client_that_asks_for_the_end_gets_it_with_the_denial() throws Exception {
        try (var socket = bench.connectToProxy()) {
            say(socket, connect("b.test:" + bench.port).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
            assertThat(Bench.readAll(socket))
                    .startsWith("HTTP/1.1 403 Forbidden\r\n")
                    .containsIgnoringCase("connection: close");
        }
    }

    @Test
    void an_address_and_a_port_that_no_rule_names_are_denied_alike() throws Exception {
        for (String target : new String[] {"169.254.169.254:80", "a.test:22", "[fd00:ec2::254]:80"}) {
            try (var socket = bench.connectToProxy()) {
                say(socket, connect(target));
                assertThat(head(socket.getInputStream())).as(target).startsWith("HTTP/1.1 403 Forbidden\r\n");
            }
        }
    }

    @Test
    void B041_where_tls_is_at_home_the_denial_is_inside_and_the_connection_ends_cleanly() throws Exception {
        try (var plain = bench.connectToProxy()) {
            say(plain, connect("b.test:443"));
            assertThat(head(plain.getInputStream())).startsWith("HTTP/1.1 200 Connection established\r\n");
            try (var tls = TlsSockets.client(bench.authority, plain, "b.test")) {
                say(tls, "GET /x HTTP/1.1\r\nHost: b.test\r\nConnection: close\r\n\r\n");
                assertThat(Bench.readAll(tls))
                        .startsWith("HTTP/1.1 403 Forbidden\r\n")
                        .containsIgnoringCase("connection: close")
                        .contains("\"fix\":", "b.test");
            }
        }
    }

    @Test
    void B041_another_connect_inside_a_tunnel_is_refused_and_the_connection_closed() throws Exception {
        try (var socket = bench.connectToProxy()) {
            say(socket, connect("b.test:443"));
            assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 200 Connection established\r\n");
            say(socket, connect("a.test:443"));
            assertThat(Bench.readAll(socket)).startsWith("HTTP/1.1 400 Bad Request\r\n");
        }
    }
}
