package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.crowd.Descriptors;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Thousands of connections that ask for nothing, or for half of something, while somebody else wants an answer.
class IdleCrowdTest {
    /// More than a gateway keeps of one cage, a quarter of the descriptors; both ends of each are here.
    private static final int MANY = Math.clamp(Descriptors.limit() / 4 + 200, 100, 10_000);

    private final List<SocketChannel> crowd = new ArrayList<>();

    @SuppressWarnings("NullAway") // set when a test begins
    private Origin origin;

    @SuppressWarnings("NullAway") // set when a test begins
    private Bench bench;

    @BeforeEach
    void open() throws Exception {
        origin = Origin.clear(talk -> {
            while (!talk.head().isEmpty()) {
                talk.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
            }
        });
        bench = new Bench(origin.port(), Optional.empty(), Bench.Terms.USUAL);
    }

    @AfterEach
    void close() throws Exception {
        for (var one : crowd) {
            one.close();
        }
        bench.close();
        origin.close();
    }

    private SocketChannel connected() throws IOException {
        var channel = SocketChannel.open(new InetSocketAddress(Bench.ALLOWED, bench.port));
        crowd.add(channel);
        return channel;
    }

    private static void say(SocketChannel channel, String text) throws IOException {
        var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private String head() {
        return "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\n";
    }

    @Test
    void somebody_else_gets_an_answer_among_thousands_that_say_nothing() throws Exception {
        for (int i = 0; i < MANY; i++) {
            connected();
        }
        assertThat(bench.ask(Bench.ALLOWED, head() + "\r\n"))
                .startsWith("HTTP/1.1 200 OK")
                .endsWith("hi");
    }

    @Test
    void half_a_head_of_thousands_is_bounded_and_the_last_of_them_get_their_answer() throws Exception {
        var half = head() + "X-Long: " + "x".repeat(60_000);
        int enough = (int) (33L * 1024 * 1024 / half.length()) + 1;
        for (int i = 0; i < enough; i++) {
            say(connected(), half);
        }
        assertThat(ended(crowd.getFirst())).isTrue();
        var last = crowd.getLast();
        say(last, "\r\n\r\n");
        assertThat(first(last)).isEqualTo("HTTP/1.1 200 OK");
        assertThat(bench.ask(Bench.ALLOWED, head() + "\r\n")).startsWith("HTTP/1.1 200 OK");
    }

    private static boolean ended(SocketChannel channel) {
        try {
            return channel.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException _) {
            return true;
        }
    }

    private static String first(SocketChannel channel) throws IOException {
        var bytes = ByteBuffer.allocate("HTTP/1.1 200 OK".length());
        while (bytes.hasRemaining()) {
            assertThat(channel.read(bytes)).isNotNegative();
        }
        return new String(bytes.array(), StandardCharsets.US_ASCII);
    }
}
