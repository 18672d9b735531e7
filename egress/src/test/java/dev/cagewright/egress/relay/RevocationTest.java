package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.document.HostRule;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A policy that is changed while something is under way: what it no longer allows ends, the rest goes on.
class RevocationTest {
    private static final String WHY = "the policy was changed and allows it no longer: no rule names it any more";

    @SuppressWarnings("NullAway") // set when a test begins
    private Origin origin;

    @SuppressWarnings("NullAway") // set when a test begins
    private Bench bench;

    private void open(Bench.Terms terms, Origin.Script script) throws Exception {
        origin = Origin.clear(script);
        bench = new Bench(origin.port(), Optional.empty(), terms);
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
        origin.close();
    }

    private Socket ask(String method, String path, String more) throws IOException {
        var socket = bench.connect(Bench.ALLOWED);
        say(socket, method + " " + path + " HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\n" + more + "\r\n");
        return socket;
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void await(Socket socket, String text) throws IOException {
        var read = new StringBuilder();
        while (read.indexOf(text) < 0) {
            int next = socket.getInputStream().read();
            assertThat(next).as("after " + read).isNotNegative();
            read.append((char) next);
        }
    }

    /// Says a piece, waits for a byte, says another.
    private static void pieces(Origin.Talk talk) throws IOException {
        var head = talk.head();
        talk.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
        if (head.startsWith("POST")) {
            talk.bytes(4);
            talk.say("3\r\ntwo\r\n0\r\n\r\n");
        }
        talk.bytes(1);
    }

    @Test
    void B021_an_answer_under_way_that_is_no_longer_allowed_is_reset_and_its_neighbour_goes_on() throws Exception {
        open(Bench.Terms.USUAL, RevocationTest::pieces);
        try (var ended = ask("GET", "/ok/a", "");
                var goesOn = ask("POST", "/ok/b", "Content-Length: 4\r\n")) {
            await(ended, "one");
            await(goesOn, "one");
            bench.forbid(action -> action instanceof Action.HttpRequest request
                    && request.method().equals("GET"));
            assertThatThrownBy(() -> Bench.readAll(ended)).isInstanceOf(SocketException.class);
            assertThat(bench.nextEnd()).startsWith("200 Truncated[why=" + WHY + "]");
            say(goesOn, "body");
            await(goesOn, "two\r\n0\r\n\r\n");
            assertThat(bench.nextEnd()).isEqualTo("200 Complete[] sent 4 received 6");
        }
    }

    @Test
    void B021_the_next_request_of_a_kept_connection_is_judged_by_the_changed_policy() throws Exception {
        open(Bench.Terms.USUAL, talk -> {
            while (!talk.head().isEmpty()) {
                talk.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
            }
        });
        try (var socket = ask("GET", "/ok", "")) {
            await(socket, "hi");
            bench.forbid(_ -> true);
            say(socket, "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\n\r\n");
            await(socket, "HTTP/1.1 403 ");
        }
        assertThat(origin.heads).hasSize(1);
    }

    @Test
    void B021_a_request_that_waits_for_its_answer_is_a_403() throws Exception {
        open(Bench.Terms.USUAL, talk -> {
            talk.head();
            talk.bytes(1);
        });
        try (var socket = ask("GET", "/ok", "")) {
            while (origin.heads.isEmpty()) {
                LockSupport.parkNanos(5_000_000);
            }
            bench.forbid(_ -> true);
            await(socket, "HTTP/1.1 403 ");
            await(socket, "no rule names it any more");
        }
        assertThat(bench.nextEnd()).startsWith("403 Truncated[why=" + WHY);
    }

    @Test
    void B021_an_open_websocket_is_closed() throws Exception {
        open(Bench.Terms.USUAL, talk -> {
            talk.head();
            talk.say("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\nhello");
            talk.bytes(1);
        });
        try (var socket = ask("GET", "/ok", "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n")) {
            await(socket, "hello");
            bench.forbid(_ -> true);
            assertThatThrownBy(() -> Bench.readAll(socket)).isInstanceOf(SocketException.class);
        }
        assertThat(bench.nextEnd()).startsWith("101 Truncated[why=" + WHY);
    }

    @Test
    void B021_a_passed_connection_is_closed_and_one_that_stays_allowed_is_not() throws Exception {
        open(Bench.Terms.USUAL.with(HostRule.Protocol.TCP), talk -> {
            talk.say("welcome");
            talk.say("bye " + talk.bytes(2));
        });
        try (var socket = bench.connect(Bench.ALLOWED)) {
            await(socket, "welcome");
            bench.forbid(action -> action instanceof Action.HttpRequest);
            say(socket, "hi");
            await(socket, "bye hi");
        }
        assertThat(bench.nextEnd()).isEqualTo("Complete[] sent 2 received 13");
        try (var socket = bench.connect(Bench.ALLOWED)) {
            await(socket, "welcome");
            bench.forbid(action -> action instanceof Action.NetConnect);
            assertThatThrownBy(() -> Bench.readAll(socket)).isInstanceOf(SocketException.class);
        }
        assertThat(bench.nextEnd()).startsWith("Truncated[why=" + WHY);
    }
}
