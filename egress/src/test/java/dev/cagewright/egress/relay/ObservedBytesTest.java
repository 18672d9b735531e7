package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.Upstream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Bytes that are neither TLS nor HTTP, for destinations that no rule names, while unlisted hosts are let through.
class ObservedBytesTest {
    private static final String GREETING = "\u0001\u0002 a protocol of one's own\n";

    @SuppressWarnings("NullAway") // set when a test begins
    private Origin origin;

    @SuppressWarnings("NullAway") // set when a test begins
    private Bench bench;

    /// A proxy that joins whoever asks to itself: it says what it was told.
    @BeforeEach
    void open() throws Exception {
        origin = Origin.clear(talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\n\r\n");
            talk.say("got " + talk.bytes(GREETING.length()));
        });
        var url = Upstream.Proxy.parse("proxy", "http://127.0.0.1:" + origin.port());
        bench = new Bench(origin.port(), Optional.empty(), Bench.Terms.USUAL.with(url));
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
        origin.close();
    }

    private String say(String address) throws IOException {
        try (var socket = bench.connect(address)) {
            socket.getOutputStream().write(GREETING.getBytes(StandardCharsets.US_ASCII));
            return Bench.readAll(socket);
        } catch (SocketException _) {
            return "reset";
        }
    }

    @Test
    void they_pass_and_are_on_record_as_a_connection() throws Exception {
        bench.observed = action -> action instanceof Action.NetConnect;
        assertThat(say(Bench.DENIED)).isEqualTo("got " + GREETING);
        assertThat(bench.decisions)
                .containsExactly("allow " + new Action.NetConnect(new HostName("b.test"), bench.port));
        assertThat(bench.nextEnd())
                .isEqualTo("Complete[] sent " + GREETING.length() + " received " + (GREETING.length() + 4));
    }

    @Test
    void they_are_refused_where_nobody_watches_and_where_a_rule_names_the_host() throws Exception {
        assertThat(say(Bench.DENIED)).isEqualTo("reset");
        assertThat(bench.nextEnd()).contains("neither TLS nor HTTP");
        bench.observed = action -> action instanceof Action.NetConnect;
        assertThat(say(Bench.ALLOWED)).isEqualTo("reset");
        assertThat(bench.nextEnd()).contains("neither TLS nor HTTP");
        assertThat(origin.heads).isEmpty();
    }

    @Test
    void an_address_that_is_special_is_dialled_for_nobody() throws Exception {
        bench.close();
        try (var service = Origin.clear(talk -> talk.say("internal"))) {
            bench = new Bench(service.port(), Optional.empty(), Bench.Terms.USUAL);
            bench.observed = action -> action instanceof Action.NetConnect;
            assertThat(say(Bench.ADDRESS)).isEqualTo("reset");
            assertThat(bench.nextEnd()).startsWith("Unreached[why=").contains("127.90.0.1");
            try (var direct = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
                assertThat(Bench.readAll(direct)).isEqualTo("internal");
            }
        }
    }
}
