package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.capture.Capture;
import dev.cagewright.egress.capture.Field;
import dev.cagewright.egress.capture.Piece;
import dev.cagewright.egress.capture.Way;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What is kept of exchanges that really happen.
class CaptureTest {
    private final Film film = new Film();

    @SuppressWarnings("NullAway") // set before each test
    private Origin origin;

    @SuppressWarnings("NullAway") // set before each test
    private Bench bench;

    /// Keeps everything in memory, ten bytes of each body; turns bodies away when it is told to.
    static final class Film implements Capture {
        final List<Piece> pieces = new CopyOnWriteArrayList<>();
        private final AtomicLong numbers = new AtomicLong();
        volatile boolean isSlow;

        @Override
        public boolean isOn() {
            return true;
        }

        @Override
        public long bodyLimit() {
            return 10;
        }

        @Override
        public long nextExchange() {
            return numbers.incrementAndGet();
        }

        @Override
        public boolean take(Piece piece) {
            return !(isSlow && piece instanceof Piece.Content) && pieces.add(piece);
        }

        <T extends Piece> List<T> all(Class<T> kind) {
            return pieces.stream().filter(kind::isInstance).map(kind::cast).toList();
        }

        String body(Way way) {
            var text = new StringBuilder();
            for (var body : all(Piece.Body.class)) {
                if (body.way() == way) {
                    text.append(StandardCharsets.ISO_8859_1.decode(body.bytes().duplicate()));
                }
            }
            return text.toString();
        }
    }

    @BeforeEach
    void open() throws Exception {
        origin = Origin.clear(CaptureTest::serve);
        bench = new Bench(origin.port(), Optional.empty(), Bench.Terms.USUAL, film);
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
        origin.close();
    }

    private static void serve(Origin.Talk talk) throws IOException {
        var head = talk.head();
        var length = head.replaceAll("(?is).*content-length: (\\d+).*", "$1");
        if (length.matches("\\d+")) {
            talk.bytes(Integer.parseInt(length));
        }
        if (head.toLowerCase(Locale.ROOT).contains("upgrade: websocket")) {
            talk.say("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
            talk.bytes(6 + 3);
            talk.say("\u0081\u0002yo");
            return;
        }
        talk.say(("HTTP/1.1 200 Fine|Transfer-Encoding: chunked|Set-Cookie: sid=s3cr3t; Path=/|Connection: close||"
                        + "5|hello|8| and bye|0|X-End: yes||")
                .replace("|", "\r\n"));
    }

    private String host() {
        return "Host: a.test:" + bench.port + "\r\n";
    }

    @Test
    void an_exchange_is_kept_from_its_head_to_its_end_on_both_sides() throws Exception {
        bench.ask(
                Bench.ALLOWED,
                "POST /ok/./x?token=s3cr3t&q=1 HTTP/1.1\r\n" + host()
                        + "Connection: close\r\nAuthorization: Bearer s3cr3t\r\nContent-Length: 12\r\n\r\nhello, world");
        bench.nextEnd();
        var asked = film.all(Piece.Asked.class).getFirst().head();
        var sent = film.all(Piece.Sent.class).getFirst();
        var at = "http://a.test:" + bench.port;
        assertThat(asked.url()).isEqualTo(at + "/ok/./x?token=%5Bnot%20kept%5D&q=1");
        assertThat(sent.head().url()).isEqualTo(at + "/ok/x?token=%5Bnot%20kept%5D&q=1");
        assertThat(asked.method() + " " + asked.version()).isEqualTo("POST HTTP/1.1");
        assertThat(asked.fields())
                .contains(new Field("Authorization", "Bearer [not kept]"), new Field("Connection", "close"));
        assertThat(sent.head().fields())
                .contains(new Field("Authorization", "Bearer [not kept]"))
                .doesNotContain(new Field("Connection", "close"));
        assertThat(sent.address()).isEqualTo("127.0.0.1");
        assertThat(film.all(Piece.Allowed.class))
                .extracting(Piece.Allowed::decision)
                .containsExactly("bench-1");
        var answered = film.all(Piece.Answered.class).getFirst();
        assertThat(answered.got().status() + " " + answered.got().reason()).isEqualTo("200 Fine");
        assertThat(answered.told().fields()).contains(new Field("Set-Cookie", "sid=[not kept]; Path=/"));
        assertThat(film.all(Piece.Trailers.class).getFirst().fields()).containsExactly(new Field("X-End", "yes"));
        var ended = film.all(Piece.Ended.class).getFirst();
        assertThat(ended.state()).isEqualTo("complete");
        assertThat(ended.sizes()).isEqualTo(new Piece.Sizes(12, 13, 0));
        assertThat(ended.times()).hasSize(6);
        assertThat(ended.dialling().connect()).isPresent();
        assertThat(film.pieces.toString()).doesNotContain("s3cr3t");
    }

    @Test
    void of_each_body_no_more_than_the_limit_is_kept() throws Exception {
        bench.ask(
                Bench.ALLOWED,
                "POST /ok HTTP/1.1\r\n" + host() + "Connection: close\r\nContent-Length: 12\r\n\r\nhello, world");
        bench.nextEnd();
        assertThat(film.body(Way.REQUEST)).isEqualTo("hello, wor");
        assertThat(film.body(Way.ANSWER)).isEqualTo("hello and ");
    }

    @Test
    void what_finds_no_room_is_counted_and_the_traffic_goes_on() throws Exception {
        film.isSlow = true;
        var answer = bench.ask(
                Bench.ALLOWED,
                "POST /ok HTTP/1.1\r\n" + host() + "Connection: close\r\nContent-Length: 12\r\n\r\nhello, world");
        bench.nextEnd();
        assertThat(answer).contains(" and bye");
        assertThat(film.all(Piece.Ended.class).getFirst().sizes()).isEqualTo(new Piece.Sizes(12, 13, 20));
    }

    @Test
    void a_refused_request_is_kept_with_the_page_that_says_why() throws Exception {
        bench.ask(Bench.ALLOWED, "GET /no HTTP/1.1\r\n" + host() + "Connection: close\r\n\r\n");
        var refused = film.all(Piece.Refused.class).getFirst();
        assertThat(refused.told().status()).isEqualTo(403);
        assertThat(refused.refusal().decision()).contains("bench-1");
        assertThat(StandardCharsets.UTF_8.decode(refused.page().duplicate()).toString())
                .contains("\"status\":403");
        assertThat(film.all(Piece.Asked.class).getFirst().head().url()).endsWith("/no");
        assertThat(film.all(Piece.Sent.class)).isEmpty();
    }

    @Test
    void a_request_for_somebody_else_is_kept_as_refused() throws Exception {
        bench.ask(Bench.ALLOWED, "GET /ok HTTP/1.1\r\nHost: c.test\r\nConnection: close\r\n\r\n");
        assertThat(film.all(Piece.Asked.class).getFirst().head().url())
                .startsWith("http://c.test")
                .endsWith("/ok");
        assertThat(film.all(Piece.Refused.class).getFirst().refusal().type()).isEqualTo("misdirected");
    }

    @Test
    void an_origin_that_is_not_there_is_an_end_and_an_answer_of_our_own() throws Exception {
        origin.close();
        bench.ask(Bench.ALLOWED, "GET /ok HTTP/1.1\r\n" + host() + "Connection: close\r\n\r\n");
        bench.nextEnd();
        assertThat(film.all(Piece.Ended.class).getFirst().state()).isEqualTo("unreached");
        assertThat(film.all(Piece.Refused.class).getFirst().told().status()).isEqualTo(502);
    }

    @Test
    void the_messages_of_a_websocket_are_kept_in_both_directions() throws Exception {
        bench.ask(
                Bench.ALLOWED,
                "GET /ok HTTP/1.1\r\n" + host()
                        + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\u0081\u0083\u0000\u0000\u0000\u0000hey");
        bench.nextEnd();
        assertThat(film.all(Piece.Message.class))
                .extracting(message -> message.way() + " " + message.opcode() + " "
                        + StandardCharsets.UTF_8.decode(message.bytes().duplicate()))
                .containsExactlyInAnyOrder("REQUEST 1 hey", "ANSWER 1 yo");
        assertThat(film.all(Piece.Asked.class).getFirst().head().url()).startsWith("ws://a.test:");
        assertThat(film.all(Piece.Answered.class).getFirst().told().status()).isEqualTo(101);
    }
}
