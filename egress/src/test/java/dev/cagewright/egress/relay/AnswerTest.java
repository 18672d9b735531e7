package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.deadline.Deadlines;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What an origin answers, and what the cage sees of it.
class AnswerTest {
    @SuppressWarnings("NullAway") // set when a test begins
    private Origin origin;

    @SuppressWarnings("NullAway") // set when a test begins
    private Bench bench;

    private void open(Bench.Terms terms, Origin.Script script) throws Exception {
        origin = Origin.clear(script);
        bench = new Bench(origin.port(), Optional.empty(), terms);
    }

    private void open(Origin.Script script) throws Exception {
        open(Bench.Terms.USUAL, script);
    }

    @AfterEach
    void close() throws Exception {
        if (bench != null) {
            bench.close();
            origin.close();
        }
    }

    private String get(String more) {
        return "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\n" + more + "\r\n";
    }

    @Test
    void B017_chunks_and_trailers_pass() throws Exception {
        open(talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\nAlt-Svc: h3=\":443\"\r\n\r\n");
            talk.say("3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n");
        });
        var answer = bench.ask(Bench.ALLOWED, get("Connection: close\r\n"));
        assertThat(answer)
                .contains("transfer-encoding: chunked", "3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n")
                .doesNotContainIgnoringCase("alt-svc");
    }

    @Test
    void B015_an_answer_that_breaks_off_is_no_whole_one() throws Exception {
        open(talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
            talk.bytes(0);
            talk.reset();
        });
        try (var socket = bench.connect(Bench.ALLOWED)) {
            socket.getOutputStream().write(get("").getBytes(StandardCharsets.US_ASCII));
            var got = new StringBuilder();
            try {
                for (int b = socket.getInputStream().read();
                        b >= 0;
                        b = socket.getInputStream().read()) {
                    got.append((char) b);
                }
            } catch (IOException e) {
                got.append(e.getMessage());
            }
            assertThat(got.toString()).contains("reset").doesNotContain("\r\n0\r\n");
        }
        assertThat(bench.nextEnd()).startsWith("200 Truncated[");
    }

    @Test
    void B015_a_length_that_is_not_kept_is_no_whole_answer() throws Exception {
        open(talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
        });
        try {
            assertThat(bench.ask(Bench.ALLOWED, get(""))).as("a clean end").isEqualTo("");
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("reset");
        }
        assertThat(bench.nextEnd()).startsWith("200 Truncated[");
    }

    @Test
    void an_answer_that_ends_with_its_connection_becomes_chunks() throws Exception {
        open(talk -> {
            talk.head();
            talk.say("HTTP/1.0 200 OK\r\n\r\nabc");
        });
        assertThat(bench.ask(Bench.ALLOWED, get("Connection: close\r\n"))).endsWith("3\r\nabc\r\n0\r\n\r\n");
        assertThat(bench.nextEnd()).startsWith("200 Complete[] sent 0 received 3");
    }

    @Test
    void B013_a_change_of_protocol_that_nobody_asked_for_is_refused() throws Exception {
        open(talk -> {
            talk.head();
            talk.say("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\nhello");
        });
        assertThat(bench.ask(Bench.ALLOWED, get("Connection: close\r\n")))
                .startsWith("HTTP/1.1 502 Bad Gateway\r\n")
                .contains("switches to a protocol that nobody asked for");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection: upgrade\r\nUpgrade: h2c\r\n",
                "Connection: upgrade\r\n",
                "Upgrade: websocket\r\n",
                "Connection: upgrade\r\nUpgrade: websocket\r\nUpgrade: h2c\r\n",
            })
    void B013_a_change_to_another_protocol_than_was_asked_for_is_refused(String agreed) throws Exception {
        open(talk -> {
            talk.head();
            talk.say("HTTP/1.1 101 Switching Protocols\r\n" + agreed + "\r\nhello");
        });
        assertThat(bench.ask(
                        Bench.ALLOWED,
                        get("Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n")))
                .startsWith("HTTP/1.1 502 Bad Gateway\r\n")
                .contains("another protocol than the WebSocket")
                .doesNotContain("hello");
    }

    @Test
    void B013_bytes_behind_an_upgrade_that_the_origin_declines_are_requests_again() throws Exception {
        open(talk -> {
            while (!talk.head().isEmpty()) {
                talk.say("HTTP/1.1 426 Upgrade Required\r\nUpgrade: websocket\r\nContent-Length: 0\r\n\r\n");
            }
        });
        var answer = bench.ask(
                Bench.ALLOWED,
                get("Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 777\r\n")
                        + "GET /no HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\n\r\n");
        assertThat(answer).containsSubsequence("HTTP/1.1 426 ", "HTTP/1.1 403 Forbidden");
        assertThat(origin.heads).hasSize(1);
    }

    @Test
    void B013_a_websocket_that_is_asked_for_with_a_body_is_not_offered() throws Exception {
        open(talk -> {
            talk.head();
            talk.bytes(3);
            talk.say("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\nhello");
        });
        assertThat(bench.ask(
                        Bench.ALLOWED,
                        get("Connection: Upgrade, close\r\nUpgrade: websocket\r\nContent-Length: 3\r\n") + "abc"))
                .contains("switches to a protocol that nobody asked for");
        assertThat(origin.heads.getFirst()).doesNotContainIgnoringCase("upgrade");
    }

    @Test
    void interim_answers_without_end_are_no_answer() throws Exception {
        open(talk -> {
            talk.head();
            while (true) {
                talk.say("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n");
            }
        });
        assertThat(bench.ask(Bench.ALLOWED, get("Connection: close\r\n")))
                .contains("HTTP/1.1 502 Bad Gateway\r\n", "more than 32 interim answers");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 O\u0000K\r\n",
                "HTTP/1.1 200 O\rK\r\n",
                "HTTP/1.1 20 OK\r\n",
                "HTTP/1.1 2000 OK\r\n"
            })
    void an_answer_that_a_client_could_misread_is_a_502(String line) throws Exception {
        open(talk -> {
            talk.head();
            talk.say(line + "Content-Length: 0\r\n\r\n");
        });
        assertThat(bench.ask(Bench.ALLOWED, get("Connection: close\r\n"))).startsWith("HTTP/1.1 502 Bad Gateway\r\n");
    }

    @Test
    void an_answer_in_a_coding_that_nothing_would_tell_of_is_refused() throws Exception {
        open(talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
        });
        assertThat(bench.ask(Bench.ALLOWED, get("Connection: close\r\n")))
                .startsWith("HTTP/1.1 502 Bad Gateway\r\n")
                .contains("a Transfer-Encoding other than chunked");
    }

    @Test
    void bytes_of_a_value_that_are_no_ascii_reach_the_client_as_they_are() throws Exception {
        open(talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\nX-Name: caf\u00c3\u00a9 \u00ff\r\nContent-Length: 0\r\n\r\n");
        });
        assertThat(bench.ask(Bench.ALLOWED, get("Connection: close\r\n")))
                .contains("X-Name: caf\u00c3\u00a9 \u00ff\r\n");
    }

    @Test
    void B013_a_websocket_carries_bytes_both_ways() throws Exception {
        open(talk -> {
            talk.head();
            talk.say("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n");
            talk.say("Sec-WebSocket-Accept: x\r\n\r\nhello");
            talk.say("echo " + talk.bytes(4));
        });
        try (var socket = bench.connect(Bench.ALLOWED)) {
            socket.getOutputStream()
                    .write((get("Connection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Key: k\r\n")
                                    + "ping")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(Bench.readAll(socket))
                    .startsWith("HTTP/1.1 101 Switching Protocols\r\n")
                    .contains("Sec-WebSocket-Accept: x")
                    .endsWith("\r\n\r\nhelloecho ping");
        }
        assertThat(origin.heads.getFirst()).contains("connection: upgrade", "upgrade: websocket");
        assertThat(bench.nextEnd()).isEqualTo("101 Complete[] sent 4 received 14");
    }

    @Test
    void B034_a_redirect_is_handed_back_and_not_followed() throws Exception {
        open(talk -> {
            talk.head();
            talk.say("HTTP/1.1 302 Found\r\nLocation: http://b.test/\r\nContent-Length: 0\r\n\r\n");
        });
        assertThat(bench.ask(Bench.ALLOWED, get("Connection: close\r\n")))
                .startsWith("HTTP/1.1 302 Found\r\nLocation: http://b.test/\r\n");
        assertThat(bench.decisions).hasSize(1);
    }

    @Test
    void another_protocol_is_not_offered_to_the_origin() throws Exception {
        open(talk -> {
            talk.head();
            talk.say("HTTP/1.1 204 No Content\r\n\r\n");
            talk.head();
            talk.say("HTTP/1.1 204 No Content\r\n\r\n");
        });
        var answer = bench.ask(
                Bench.ALLOWED,
                get("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n")
                        + get("Connection: close\r\n"));
        assertThat(answer.split("204 No Content", -1)).hasSize(3);
        assertThat(origin.heads.getFirst())
                .doesNotContainIgnoringCase("upgrade")
                .doesNotContainIgnoringCase("settings");
    }

    @Test
    void interim_answers_pass_and_a_body_waits_for_its_word() throws Exception {
        open(talk -> {
            talk.head();
            talk.say("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n");
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" + talk.bytes(2));
        });
        try (var socket = bench.connect(Bench.ALLOWED)) {
            socket.getOutputStream()
                    .write(("POST /ok HTTP/1.1\r\nHost: a.test:" + bench.port
                                    + "\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            var interim = new StringBuilder();
            while (interim.indexOf("100 Continue\r\n\r\n") < 0) {
                interim.append((char) socket.getInputStream().read());
            }
            assertThat(interim).contains("HTTP/1.1 103 Early Hints\r\nlink: </x>");
            socket.getOutputStream().write("hi".getBytes(StandardCharsets.US_ASCII));
            assertThat(Bench.readAll(socket)).startsWith("HTTP/1.1 200 OK").endsWith("hi");
        }
        assertThat(origin.heads.getFirst()).containsIgnoringCase("|Expect: 100-continue");
    }

    @Test
    void B075_an_origin_that_cannot_be_had_is_a_502_with_the_cause() throws Exception {
        open(talk -> {});
        origin.close();
        assertThat(bench.ask(Bench.ALLOWED, get("Connection: close\r\n")))
                .startsWith("HTTP/1.1 502 Bad Gateway\r\n")
                .contains("Connection refused", "\"decision\":\"bench-1\"");
        assertThat(bench.nextEnd()).startsWith("502 Unreached[why=a.test:" + bench.port + " at 127.0.0.1: ");
    }

    @Test
    void a_kept_connection_that_the_origin_closed_is_not_the_clients_trouble() throws Exception {
        var count = new AtomicInteger();
        open(talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + count.incrementAndGet());
            // and the connection is closed without a word of it
        });
        try (var socket = bench.connect(Bench.ALLOWED)) {
            for (int i = 1; i <= 20; i++) {
                socket.getOutputStream().write(get("").getBytes(StandardCharsets.US_ASCII));
                var answer = new StringBuilder();
                while (!answer.toString().matches("(?s).*\r\n\r\n\\d")) {
                    int b = socket.getInputStream().read();
                    assertThat(b).as("request %s: %s", i, answer).isNotNegative();
                    answer.append((char) b);
                }
                assertThat(answer.toString()).startsWith("HTTP/1.1 200 OK");
                count.compareAndSet(9, 0);
            }
        }
    }

    @Test
    void a_slow_reader_does_not_make_the_gateway_keep_the_answer() throws Exception {
        long size = 256L << 20;
        open(talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n\r\n");
            var block = new byte[1 << 20];
            for (long sent = 0; sent < size; sent += block.length) {
                talk.socket().getOutputStream().write(block);
            }
        });
        try (var socket = bench.connect(Bench.ALLOWED)) {
            socket.getOutputStream().write(get("Connection: close\r\n").getBytes(StandardCharsets.US_ASCII));
            var buffer = new byte[1 << 16];
            long got = 0;
            for (int n = socket.getInputStream().read(buffer);
                    n >= 0;
                    n = socket.getInputStream().read(buffer)) {
                got += n;
                assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory())
                        .isLessThan(64L << 20);
            }
            assertThat(got).isGreaterThan(size).isLessThan(size + 300);
        }
        assertThat(bench.nextEnd()).isEqualTo("200 Complete[] sent 0 received " + size);
    }

    @Test
    void a_client_that_leaves_is_the_end_of_the_request_at_the_origin() throws Exception {
        var left = new CompletableFuture<String>();
        open(talk -> {
            talk.head();
            if (talk.bytes(1).isEmpty()) {
                left.complete("left");
            }
        });
        try (var socket = bench.connect(Bench.ALLOWED)) {
            socket.getOutputStream().write(get("").getBytes(StandardCharsets.US_ASCII));
            while (origin.heads.isEmpty()) {
                Thread.onSpinWait();
            }
        }
        assertThat(left.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo("left");
        assertThat(bench.nextEnd()).isEqualTo("Truncated[why=the client closed the connection] sent 0 received 0");
    }

    @Test
    void nothing_said_for_too_long_ends_a_request() throws Exception {
        var quick = new Deadlines(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofMillis(200));
        open(Bench.Terms.USUAL.with(quick), talk -> {
            talk.head();
            talk.bytes(1);
        });
        assertThat(bench.ask(Bench.ALLOWED, get("Connection: close\r\n")))
                .startsWith("HTTP/1.1 502 Bad Gateway\r\n")
                .contains("nothing was said for too long");
    }
}
