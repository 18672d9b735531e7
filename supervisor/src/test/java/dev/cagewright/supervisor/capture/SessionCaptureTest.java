package dev.cagewright.supervisor.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.capture.Field;
import dev.cagewright.egress.capture.Head;
import dev.cagewright.egress.capture.Moment;
import dev.cagewright.egress.capture.Piece;
import dev.cagewright.egress.capture.Way;
import dev.cagewright.egress.refusal.Refusal;
import dev.cagewright.egress.upstream.Dialling;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.engine.Rules;
import dev.cagewright.supervisor.receipt.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A capture on a real disk: what is read is what was said, whole or not.
class SessionCaptureTest {
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00.123456Z");

    @TempDir
    private Path folder;

    private SessionCapture begun() throws IOException {
        var capture = new SessionCapture("abcdefghij", folder, new CaptureTerms(100));
        capture.begin();
        return capture;
    }

    private static Piece asked(long exchange) {
        var fields = List.of(new Field("Host", "a.test"), new Field("X-Odd", "\u00e9 \"\\ \u0001"));
        return new Piece.Asked(exchange, NOON, new Head.Request("GET", "https://a.test/x?y=%2f", "HTTP/2", fields));
    }

    private static Piece body(long exchange, String text) {
        return new Piece.Body(exchange, Way.ANSWER, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static Head.Answer answer(int status) {
        return new Head.Answer(status, "Fine", "HTTP/1.1", List.of(new Field("A", "b")));
    }

    private static List<Piece> everyKind(long n) {
        var bytes = ByteBuffer.wrap(new byte[] {0, 1, (byte) 0xff});
        var refusal = new Refusal(
                403,
                "denied",
                "no rule",
                Optional.of("abc-1"),
                Optional.of("default:deny"),
                List.of(),
                Refusal.Hope.NONE);
        return List.of(
                asked(n),
                new Piece.Allowed(n, "abc-1"),
                new Piece.Sent(n, new Head.Request("GET", "https://b.test/", "HTTP/1.1", List.of()), "::1", "c1"),
                new Piece.Body(n, Way.REQUEST, bytes),
                new Piece.Trailers(n, Way.ANSWER, List.of(new Field("T", "1"))),
                new Piece.Answered(n, answer(200), answer(201)),
                new Piece.Refused(n, NOON, refusal, answer(403), bytes),
                new Piece.Message(n, Way.ANSWER, NOON, 2, Piece.Form.DEFLATED, 70_000, bytes),
                new Piece.Ended(
                        n,
                        "truncated",
                        Optional.of("it broke off"),
                        new Piece.Sizes(1, 2, 3),
                        Map.of(Moment.JUDGED, Duration.ofNanos(5_000), Moment.DONE, Duration.ofMillis(7)),
                        new Dialling(Optional.of(Duration.ofMillis(2)), Optional.empty())));
    }

    private List<KeptExchange> read() throws IOException {
        var found = new ArrayList<KeptExchange>();
        try (var reader = CaptureReader.open(folder).orElseThrow()) {
            reader.each(found::add);
        }
        return found;
    }

    @Test
    void every_kind_of_piece_is_read_as_it_was_written() throws IOException {
        for (var piece : everyKind(7)) {
            assertThat(WrittenPiece.parse(PieceJson.of(piece).bytes())).isEqualTo(piece);
        }
    }

    @Test
    void exchanges_that_happen_at_once_are_read_apart_in_the_order_in_which_they_began() throws IOException {
        var capture = begun();
        assertThat(capture.nextExchange()).isOne();
        for (var piece : List.of(asked(1), asked(2), body(2, "two"), body(1, "o"), body(1, "ne"))) {
            assertThat(capture.take(piece)).isTrue();
        }
        var closed = capture.finish();
        assertThat(read())
                .extracting(exchange ->
                        exchange.asked().exchange() + new String(exchange.body(Way.ANSWER), StandardCharsets.UTF_8))
                .containsExactly("1one", "2two");
        var file = folder.resolve("capture.jsonl");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(closed.text("sha256")).contains(Sha256.of(Files.readAllBytes(file)));
        assertThat(number(closed, "bytes")).isEqualTo(Files.size(file));
        assertThat(number(closed, "exchanges")).isEqualTo(2);
    }

    private static long number(JsonObject json, String name) {
        return json.member(name).orElseThrow() instanceof JsonNumber number ? number.asLong() : -1;
    }

    @Test
    void a_file_that_ends_anywhere_is_read_up_to_its_last_whole_line() throws IOException {
        var capture = begun();
        everyKind(1).forEach(capture::take);
        capture.take(asked(2));
        capture.close();
        var file = folder.resolve("capture.jsonl");
        var whole = Files.readAllBytes(file);
        int lines = 0;
        for (int length = 0; length <= whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            if (length > 0 && whole[length - 1] == '\n') {
                lines++;
            }
            try (var reader = CaptureReader.open(folder).orElseThrow()) {
                var found = new ArrayList<KeptExchange>();
                reader.each(found::add);
                assertThat(found).as("%s bytes", length).hasSize(lines < 2 ? 0 : lines < 11 ? 1 : 2);
                boolean isWhole = length == 0 || whole[length - 1] == '\n';
                assertThat(reader.cutBytes() == 0).as("%s bytes", length).isEqualTo(isWhole);
                assertThat(reader.unreadLines()).isZero();
                if (lines == 10) {
                    assertThat(found.getFirst().ended()).isPresent();
                }
            }
        }
        assertThat(lines).isEqualTo(11);
    }

    @Test
    void lines_that_are_none_are_counted_and_hide_nothing() throws IOException {
        var capture = begun();
        capture.take(asked(1));
        capture.close();
        var file = folder.resolve("capture.jsonl");
        var text = Files.readString(file)
                + "{\"n\":1,\"is\":\"body\",\"way\":\"up\",\"bytes\":\"\"}\nnoise\n{\"n\":1,\"is\":\"odd\"}\n"
                + "{\"n\":99999999999999999999,\"is\":\"asked\"}\n{\"n\":1,\"is\":\"allowed\",\"decision\":\"abc-9\"}\n";
        Files.writeString(file, text);
        try (var reader = CaptureReader.open(folder).orElseThrow()) {
            var found = new ArrayList<KeptExchange>();
            reader.each(found::add);
            assertThat(found).hasSize(1);
            assertThat(found.getFirst().decision()).contains("abc-9");
            assertThat(reader.unreadLines()).isEqualTo(4);
        }
    }

    @Test
    void a_session_without_a_capture_has_none_to_read() throws IOException {
        assertThat(CaptureReader.open(folder)).isEmpty();
    }

    @Test
    void a_second_capture_of_a_session_is_refused() throws IOException {
        begun().close();
        assertThatThrownBy(this::begun).isInstanceOf(IOException.class).hasMessageContaining("capture.jsonl");
    }

    @Test
    void more_of_a_body_than_a_capture_keeps_is_refused_before_anything_is_written() {
        var capture = new SessionCapture("abcdefghij", folder, new CaptureTerms((64L << 20) + 1));
        assertThatThrownBy(capture::begin)
                .isInstanceOf(IOException.class)
                .hasMessage("capture.body: 67108865 bytes (expected: at most 64MiB)");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_capture_that_is_not_written_lets_no_request_go_and_everything_else() throws IOException {
        var capture = new SessionCapture("abcdefghij", folder, new CaptureTerms(100));
        var judge = new CaptureJudge(_ -> new Decision.Allow(Rules.DEFAULT), capture);
        var request = new Action.HttpRequest("GET", new HostName("a.test"), 443, "/");
        assertThat(judge.judge(request)).isInstanceOfSatisfying(Decision.Deny.class, deny -> {
            assertThat(deny.because().toString()).contains("capture:unavailable");
            assertThat(deny.detail()).isEqualTo("the policy asks for a capture, and there is none: it was not begun");
        });
        assertThat(judge.judge(new Action.DnsLookup(new HostName("a.test")))).isInstanceOf(Decision.Allow.class);
        capture.begin();
        assertThat(judge.judge(request)).isInstanceOf(Decision.Allow.class);
        capture.close();
    }

    @Test
    void contents_that_wait_too_long_find_no_room_and_heads_still_do() {
        var backlog = new Backlog();
        var big = new Piece.Body(1, Way.ANSWER, ByteBuffer.allocate(1 << 20));
        int taken = 0;
        while (backlog.add(big)) {
            taken++;
        }
        assertThat(taken).isEqualTo(15);
        assertThat(backlog.hasRoom()).isTrue();
        assertThat(backlog.add(asked(2))).isTrue();
        backlog.written(big);
        assertThat(backlog.add(big)).isTrue();
        backlog.close();
        assertThat(backlog.add(asked(3))).isFalse();
    }

    @Test
    void heads_beyond_all_bounds_find_no_room_either_and_nobody_waits() {
        var backlog = new Backlog();
        var fields = List.of(new Field("x", "y".repeat(100_000)));
        var head = new Piece.Asked(1, NOON, new Head.Request("GET", "https://a.test/", "HTTP/1.1", fields));
        while (backlog.hasRoom()) {
            assertThat(backlog.add(head)).isTrue();
        }
        int more = 0;
        while (backlog.add(head)) {
            more++;
        }
        assertThat(more).isBetween(300, 400);
    }

    @Test
    void of_messages_without_end_as_many_are_held_as_fit() {
        var exchange = new KeptExchange((Piece.Asked) asked(1));
        var message =
                new Piece.Message(1, Way.ANSWER, NOON, 2, Piece.Form.PLAIN, 1 << 20, ByteBuffer.allocate(1 << 20));
        for (int i = 0; i < 70; i++) {
            exchange.add(message);
        }
        assertThat(exchange.messages()).hasSize(64);
        assertThat(exchange.unheldMessages()).isEqualTo(6);
    }
}
