package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.egress.deadline.Deadlines;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Origins and clients that stall, lie, flood and break off. Whatever they do, somebody is told, nothing hangs, and
/// others are served.
class BadDaysTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Deadlines QUICK = new Deadlines(LONG, LONG, SHORT, LONG);

    /// Long enough for an origin to begin its answer on a machine that is busy.
    private static final Duration BEGUN = Duration.ofSeconds(10);

    private static final Deadlines ONCE_BEGUN = new Deadlines(LONG, LONG, BEGUN, LONG);
    private static final Deadlines PATIENT = new Deadlines(LONG, LONG, LONG, LONG);

    @SuppressWarnings("NullAway") // set when a test begins
    private Origin origin;

    @SuppressWarnings("NullAway") // set when a test begins
    private Bench bench;

    private void open(Deadlines deadlines, Origin.Script script) throws Exception {
        origin = Origin.clear(script);
        bench = new Bench(origin.port(), Optional.empty(), Bench.Terms.USUAL.with(deadlines));
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
        if (origin != null) {
            origin.close();
        }
    }

    private String get(String more) {
        return "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\n" + more + "\r\n";
    }

    private String getAndClose() {
        return get("Connection: close\r\n");
    }

    /// What came, and how it broke off if it did.
    private static String heard(Socket socket) {
        var got = new StringBuilder();
        try {
            for (int b = socket.getInputStream().read();
                    b >= 0;
                    b = socket.getInputStream().read()) {
                got.append((char) b);
            }
        } catch (IOException e) {
            got.append(" [").append(e.getMessage()).append(']');
        }
        return got.toString();
    }

    private String heard(String request) throws IOException {
        try (var socket = bench.connect(Bench.ALLOWED)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return heard(socket);
        }
    }

    @Test
    void an_origin_that_takes_no_connection_is_a_502_in_time() throws Exception {
        try (var full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var waiting = new ArrayList<SocketChannel>();
            for (int i = 0; i < 8; i++) {
                var one = SocketChannel.open();
                one.configureBlocking(false);
                one.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), full.getLocalPort()));
                waiting.add(one);
            }
            bench = new Bench(
                    full.getLocalPort(),
                    Optional.empty(),
                    Bench.Terms.USUAL.with(new Deadlines(LONG, LONG, LONG, SHORT)));
            assertThat(heard(getAndClose())).startsWith("HTTP/1.1 502 ").contains("no answer in time");
            assertThat(bench.nextEnd()).startsWith("502 Unreached[");
            for (SocketChannel one : waiting) {
                one.close();
            }
        }
    }

    @Test
    void an_origin_that_stalls_in_its_head_is_a_502_in_time() throws Exception {
        open(QUICK, talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\nContent-Le");
            talk.bytes(1);
        });
        assertThat(heard(getAndClose())).startsWith("HTTP/1.1 502 ").contains("nothing was said for too long");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 10\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n5\r\n"})
    void an_origin_that_stalls_in_its_body_is_cut_off_and_seen_to_be(String rest) throws Exception {
        open(ONCE_BEGUN, talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\n" + rest);
            talk.bytes(1);
        });
        assertThat(heard(get(""))).contains("abc", "reset").doesNotContain("\r\n0\r\n");
        assertThat(bench.nextEnd()).startsWith("200 Truncated[why=nothing was said for too long]");
    }

    @Test
    void a_request_that_waited_long_for_its_judgement_still_has_deadlines_afterwards() throws Exception {
        open(ONCE_BEGUN, talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
            talk.bytes(1);
        });
        bench.disk = () -> {
            try {
                Thread.sleep(BEGUN.plusSeconds(1));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        };
        assertThat(heard(get(""))).contains("abc", "reset");
    }

    @Test
    void more_than_the_length_that_was_said_reaches_nobody() throws Exception {
        open(PATIENT, talk -> {
            while (!talk.head().isEmpty()) {
                talk.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"
                        + "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison");
            }
        });
        for (int i = 0; i < 5; i++) {
            assertThat(heard(get("") + get("") + getAndClose()).split("\r\n\r\nabc", -1))
                    .hasSize(4);
            assertThat(heard(getAndClose())).endsWith("abc").doesNotContain("poison");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-%d: y\r\n", "X: %0999d\r\n", "y%0999d"})
    void a_flood_of_fields_is_a_502(String line) throws Exception {
        open(PATIENT, talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\n");
            for (int i = 0; i < 1_000_000; i++) {
                talk.say(line.formatted(i));
            }
        });
        assertThat(heard(getAndClose())).startsWith("HTTP/1.1 502 ");
        assertThat(bench.nextEnd()).startsWith("502 Unreached[");
    }

    @Test
    void a_flood_of_trailers_breaks_the_answer_off() throws Exception {
        open(PATIENT, talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n");
            for (int i = 0; i < 1_000_000; i++) {
                talk.say("X-%d: y\r\n".formatted(i));
            }
        });
        assertThat(heard(get(""))).contains("abc", "reset");
        assertThat(bench.nextEnd()).startsWith("200 Truncated[");
    }

    @Test
    void an_origin_that_ends_its_side_early_is_no_whole_answer() throws Exception {
        open(PATIENT, talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
            talk.socket().shutdownOutput();
            talk.bytes(1);
        });
        assertThat(heard(get(""))).endsWith("abc [Connection reset]");
        assertThat(bench.nextEnd()).startsWith("200 Truncated[");
    }

    @Test
    void an_origin_that_resets_in_the_middle_of_a_request_is_a_502() throws Exception {
        open(PATIENT, talk -> {
            talk.head();
            talk.bytes(1000);
            talk.reset();
        });
        var body = "x".repeat(5_000_000);
        var request = "POST /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nContent-Length: 5000000\r\n\r\n";
        try (var socket = bench.connect(Bench.ALLOWED)) {
            var sending = Thread.ofVirtual().start(() -> {
                try {
                    socket.getOutputStream().write((request + body).getBytes(StandardCharsets.US_ASCII));
                } catch (IOException _) {
                    // it was told already
                }
            });
            heard(socket);
            sending.join();
        }
        assertThat(bench.nextEnd()).startsWith("502 Unreached[");
    }

    @Test
    void a_client_that_trickles_is_served_byte_by_byte() throws Exception {
        open(PATIENT, talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" + talk.bytes(5));
        });
        try (var socket = bench.connect(Bench.ALLOWED)) {
            socket.setTcpNoDelay(true);
            var request = "POST /ok HTTP/1.1\r\nHost: a.test:" + bench.port
                    + "\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";
            for (byte b : request.getBytes(StandardCharsets.US_ASCII)) {
                socket.getOutputStream().write(b);
                Thread.onSpinWait();
            }
            assertThat(heard(socket)).startsWith("HTTP/1.1 200 OK").endsWith("hello");
        }
    }

    @Test
    void a_client_that_trickles_its_head_without_end_is_let_go() throws Exception {
        open(new Deadlines(LONG, SHORT, LONG, LONG), talk -> {});
        try (var socket = bench.connect(Bench.ALLOWED)) {
            socket.getOutputStream().write("GET /ok HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThatThrownBy(() -> {
                        while (true) {
                            socket.getOutputStream().write("X: y\r\n".getBytes(StandardCharsets.US_ASCII));
                            Thread.sleep(20);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
        assertThat(bench.decisions).isEmpty();
    }

    @Test
    void a_client_that_never_reads_is_let_go_and_nothing_is_kept_for_it() throws Exception {
        var gone = new CompletableFuture<Long>();
        open(ONCE_BEGUN, talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n");
            var block = new byte[1 << 16];
            long sent = 0;
            try {
                for (; sent < 1_000_000_000; sent += block.length) {
                    talk.socket().getOutputStream().write(block);
                }
            } catch (IOException _) {
                gone.complete(sent);
            }
        });
        try (var socket = bench.connect(Bench.ALLOWED)) {
            socket.getOutputStream().write(get("").getBytes(StandardCharsets.US_ASCII));
            assertThat(gone.orTimeout(60, TimeUnit.SECONDS).join()).isLessThan(64L << 20);
            assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory())
                    .isLessThan(64L << 20);
        }
        assertThat(bench.nextEnd()).startsWith("200 Truncated[why=nothing was said for too long]");
    }

    @Test
    void many_that_ask_and_do_not_read_keep_nobody_else_out() throws Exception {
        open(PATIENT, talk -> {
            while (!talk.head().isEmpty()) {
                talk.say("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n" + "x".repeat(300_000));
            }
        });
        var silent = new ArrayList<Socket>();
        for (int i = 0; i < 60; i++) {
            var one = bench.connect(Bench.ALLOWED);
            one.getOutputStream().write((get("") + get("") + get("")).getBytes(StandardCharsets.US_ASCII));
            silent.add(one);
        }
        assertThat(heard(getAndClose())).hasSizeGreaterThan(300_000).endsWith("x");
        for (Socket one : silent) {
            one.close();
        }
    }
}
