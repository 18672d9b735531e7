package dev.cagewright.supervisor.hatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.Json;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HatchTest {
    private static final Hatch.Terms TERMS = new Hatch.Terms(1024, 2, Duration.ofSeconds(20));

    @TempDir
    private Path folder;

    private Path socket = Path.of("/");

    @BeforeEach
    void place() {
        socket = folder.resolve("s");
    }

    private static HatchAnswer echo(HatchRequest request) {
        return HatchAnswer.json(
                200,
                Json.object()
                        .put("asked", request.toString())
                        .put("bytes", request.body().size())
                        .build());
    }

    private Hatch hatch(Hatch.Terms terms, Predicate<SocketChannel> welcome, Clerk clerk) throws IOException {
        var listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listening.bind(UnixDomainSocketAddress.of(socket));
        return Hatch.open(listening, terms, welcome, clerk);
    }

    private Hatch hatch() throws IOException {
        return hatch(TERMS, _ -> true, HatchTest::echo);
    }

    private String said(String request) throws IOException {
        try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.ISO_8859_1)));
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private boolean cutOff(String request) {
        try {
            return said(request).isEmpty();
        } catch (IOException _) {
            return true;
        }
    }

    @Test
    void a_whole_request_is_answered_once_and_nothing_of_it_may_be_kept() throws IOException {
        try (var _ = hatch()) {
            var answer = said("POST /a?b=c HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc");

            assertThat(answer)
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("Cache-Control: no-store", "Connection: close")
                    .endsWith("{\"asked\":\"POST /a\",\"bytes\":3}");
        }
    }

    @Test
    void whoever_waits_for_a_word_before_the_body_gets_it() throws IOException {
        try (var _ = hatch()) {
            assertThat(said("POST /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na"))
                    .startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n");
        }
    }

    @Test
    void what_is_spelt_otherwise_is_refused_with_what_was_expected() throws IOException {
        try (var _ = hatch()) {
            assertThat(said("GET / HTTP/1.1\r\nA: 1\r\na: 2\r\n\r\n"))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("the field a stands twice");
            assertThat(said("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
                    .startsWith("HTTP/1.1 411 ");
            assertThat(said("POST / HTTP/1.1\r\nContent-Length: +3\r\n\r\nabc")).startsWith("HTTP/1.1 400 ");
            assertThat(said("POST / HTTP/1.1\r\nContent-Length: 1025\r\n\r\n"))
                    .startsWith("HTTP/1.1 413 ")
                    .contains("1025 bytes (expected: at most 1024)");
            assertThat(said("GET http://a/ HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 400 ");
            assertThat(said("GET / HTTP/2\r\n\r\n")).startsWith("HTTP/1.1 505 ");
            assertThat(said("GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n")).startsWith("HTTP/1.1 400 ");
            assertThat(said("GET / HTTP/1.1\r\nA: \u0001\r\n\r\n")).startsWith("HTTP/1.1 400 ");
            assertThat(said("GET / HTTP/1.1\r\nA: " + "a".repeat(RequestReader.MOST_HEAD) + "\r\n\r\n"))
                    .startsWith("HTTP/1.1 431 ");
            assertThat(said("GET / HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void a_clerk_that_fails_is_a_500_and_the_next_is_answered() throws IOException {
        Clerk clerk = request -> {
            if (request.target().equals("/fail")) {
                throw new IllegalStateException("what nobody should see");
            }
            return echo(request);
        };
        try (var _ = hatch(TERMS, _ -> true, clerk)) {
            assertThat(said("GET /fail HTTP/1.1\r\n\r\n"))
                    .startsWith("HTTP/1.1 500 ")
                    .doesNotContain("what nobody should see");
            assertThat(said("GET / HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void whoever_sends_nothing_is_cut_off() throws IOException {
        try (var _ = hatch(new Hatch.Terms(10, 2, Duration.ofSeconds(10)), _ -> true, HatchTest::echo)) {
            assertThat(said("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n")).isEmpty();
            assertThat(said("GET / HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void who_comes_when_all_places_are_taken_is_told_so() throws Exception, InterruptedException {
        var here = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        Clerk clerk = request -> {
            try {
                here.countDown();
                go.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            return echo(request);
        };
        try (var _ = hatch(new Hatch.Terms(10, 1, Duration.ofSeconds(30)), _ -> true, clerk);
                var first = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            first.write(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
            here.await();
            assertThat(said("GET / HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 503 ");
            go.countDown();
            assertThat(new String(Channels.newInputStream(first).readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void only_the_user_that_is_meant_is_answered() throws IOException {
        long own = ((Number) Files.getAttribute(folder, "unix:uid")).longValue();
        try (var _ = hatch(TERMS, Peers.only(own), HatchTest::echo)) {
            assertThat(said("GET / HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 200 ");
        }
        Files.delete(socket);
        try (var _ = hatch(TERMS, Peers.only(own + 1), HatchTest::echo)) {
            assertThat(cutOff("GET / HTTP/1.1\r\n\r\n")).isTrue();
        }
    }
}
