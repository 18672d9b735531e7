package dev.cagewright.supervisor.har;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.egress.capture.Field;
import dev.cagewright.egress.capture.Head;
import dev.cagewright.egress.capture.Moment;
import dev.cagewright.egress.capture.Piece;
import dev.cagewright.egress.capture.Way;
import dev.cagewright.egress.refusal.Refusal;
import dev.cagewright.egress.upstream.Dialling;
import dev.cagewright.supervisor.capture.CaptureReader;
import dev.cagewright.supervisor.capture.CaptureTerms;
import dev.cagewright.supervisor.capture.SessionCapture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Archives from captures: each entry says what is known and nothing else.
class HarFileTest {
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00.123456Z");

    @TempDir
    private Path folder;

    private List<JsonValue> entries(View view, List<Piece> pieces) throws IOException, JsonSyntaxException {
        try (var capture = new SessionCapture("abcdefghij", folder, new CaptureTerms(1000))) {
            capture.begin();
            pieces.forEach(piece -> assertThat(capture.take(piece)).isTrue());
        }
        var out = new ByteArrayOutputStream();
        try (var reader = CaptureReader.open(folder).orElseThrow()) {
            new HarFile(reader, view).write(out, "a test");
        }
        var log = object((JsonObject) Json.parse(out.toByteArray()), "log");
        assertThat(log.text("version")).contains("1.2");
        return ((JsonArray) log.member("entries").orElseThrow()).items();
    }

    private static JsonObject object(JsonObject of, String name) {
        return (JsonObject) of.member(name).orElseThrow();
    }

    private static Piece asked(String method, String url, Field... fields) {
        return new Piece.Asked(1, NOON, new Head.Request(method, url, "HTTP/2", List.of(fields)));
    }

    private static Piece body(Way way, byte[] bytes) {
        return new Piece.Body(1, way, ByteBuffer.wrap(bytes));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Piece ended(long sent, long received) {
        var times = Map.of(
                Moment.JUDGED, Duration.ofMillis(2),
                Moment.RESOLVED, Duration.ofMillis(3),
                Moment.CONNECTED, Duration.ofMillis(13),
                Moment.SENT, Duration.ofMillis(14),
                Moment.ANSWERED, Duration.ofMillis(34),
                Moment.DONE, Duration.ofNanos(39_500_000));
        var dialling = new Dialling(Optional.of(Duration.ofMillis(9)), Optional.of(Duration.ofMillis(5)));
        return new Piece.Ended(1, "complete", Optional.empty(), new Piece.Sizes(sent, received, 0), times, dialling);
    }

    private static Piece answered(int status, Field... fields) {
        var head = new Head.Answer(status, "", "HTTP/2", List.of(fields));
        var got = new Head.Answer(status, "Fine", "HTTP/1.1", List.of(new Field("Server", "x")));
        return new Piece.Answered(1, got, head);
    }

    @Test
    void a_whole_exchange_is_an_entry_with_everything_in_its_place() throws Exception {
        var posted = new Field("content-type", "application/x-www-form-urlencoded");
        var pieces = List.of(
                asked(
                        "POST",
                        "https://a.test/x?q=a%20b&c|d",
                        posted,
                        new Field("Cookie", "a=[not kept]; b=[not kept]")),
                new Piece.Allowed(1, "abcdefghij-3"),
                new Piece.Sent(
                        1, new Head.Request("POST", "https://b.test/x", "HTTP/1.1", List.of()), "10.0.0.1", "c9"),
                body(Way.REQUEST, utf8("n=1&m=%c3%a9")),
                answered(
                        302,
                        new Field("Location", "/y"),
                        new Field(
                                "Set-Cookie", "s=[not kept]; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly"),
                        new Field("content-type", "text/plain")),
                body(Way.ANSWER, utf8("moved")),
                ended(12, 5));
        var entry = (JsonObject) entries(View.INBOUND, pieces).getFirst();
        assertThat(entry.write())
                .contains(
                        "\"startedDateTime\":\"2026-01-31T12:00:00.123Z\"",
                        "\"time\":39.500",
                        "\"url\":\"https://a.test/x?q=a%20b&c%7Cd\",\"httpVersion\":\"HTTP/2\"",
                        "\"cookies\":[{\"name\":\"a\",\"value\":\"[not kept]\"},{\"name\":\"b\",\"value\":\"[not kept]\"}]",
                        "\"queryString\":[{\"name\":\"q\",\"value\":\"a b\"},{\"name\":\"c|d\",\"value\":\"\"}]",
                        "\"postData\":{\"mimeType\":\"application/x-www-form-urlencoded\",\"text\":\"n=1&m=%c3%a9\","
                                + "\"params\":[{\"name\":\"n\",\"value\":\"1\"},{\"name\":\"m\",\"value\":\"\u00e9\"}]}",
                        "\"status\":302,\"statusText\":\"\",\"httpVersion\":\"HTTP/2\"",
                        "\"name\":\"s\",\"value\":\"[not kept]\",\"path\":\"/\",\"expires\":\"2026-10-21T07:28:00Z\",\"httpOnly\":true",
                        "\"content\":{\"size\":5,\"mimeType\":\"text/plain\",\"text\":\"moved\"}",
                        "\"redirectURL\":\"/y\",\"headersSize\":-1,\"bodySize\":5",
                        "\"timings\":{\"blocked\":3.000,\"dns\":1.000,\"connect\":9.000,\"send\":1.000,\"wait\":20.000,\"receive\":5.500,\"ssl\":5.000}",
                        "\"serverIPAddress\":\"10.0.0.1\",\"connection\":\"c9\"",
                        "\"decision\":\"abcdefghij-3\"",
                        "\"comment\":\"allowed, abcdefghij-3\"");
    }

    @Test
    void outbound_is_what_the_gateway_said_and_heard_and_nothing_that_was_refused() throws Exception {
        var sent =
                new Piece.Sent(1, new Head.Request("GET", "https://b.test/x", "HTTP/1.1", List.of()), "10.0.0.1", "c9");
        var one = entries(View.OUTBOUND, List.of(asked("GET", "https://a.test/x"), sent, answered(200), ended(0, 0)));
        assertThat(one.getFirst().write())
                .contains(
                        "\"url\":\"https://b.test/x\",\"httpVersion\":\"HTTP/1.1\"",
                        "\"status\":200,\"statusText\":\"Fine\"",
                        "\"name\":\"Server\"")
                .doesNotContain("a.test");
    }

    private static Piece refused() {
        var refusal = new Refusal(
                403,
                "denied",
                "no rule names it",
                Optional.of("abcdefghij-4"),
                Optional.of("default:deny"),
                List.of(),
                Refusal.Hope.NONE);
        var head = new Head.Answer(
                403, "Forbidden", "HTTP/1.1", List.of(new Field("Content-Type", "application/problem+json")));
        return new Piece.Refused(1, NOON.plusMillis(4), refusal, head, ByteBuffer.wrap(utf8("{\"status\":403}")));
    }

    @Test
    void a_refused_request_is_an_entry_with_its_page_and_the_reason() throws Exception {
        var entry = entries(View.INBOUND, List.of(asked("GET", "https://c.test/"), refused()))
                .getFirst();
        assertThat(entry.write())
                .contains(
                        "\"status\":403,\"statusText\":\"Forbidden\"",
                        "\"text\":\"{\\\"status\\\":403}\"",
                        "\"blocked\":4.000,\"dns\":-1,\"connect\":-1,\"send\":-1,\"wait\":-1,\"receive\":-1,\"ssl\":-1",
                        "\"comment\":\"refused: no rule names it (default:deny), abcdefghij-4\"")
                .doesNotContain("serverIPAddress");
    }

    @Test
    void a_refused_request_was_never_sent() throws Exception {
        assertThat(entries(View.OUTBOUND, List.of(asked("GET", "https://c.test/"), refused())))
                .isEmpty();
    }

    @Test
    void a_record_that_breaks_off_is_an_entry_that_says_so() throws Exception {
        var entry = entries(
                        View.INBOUND, List.of(asked("GET", "https://a.test/"), new Piece.Allowed(1, "abcdefghij-5")))
                .getFirst();
        assertThat(entry.write())
                .contains(
                        "\"status\":0",
                        "\"_error\":\"the record ends here\"",
                        "\"comment\":\"allowed, abcdefghij-5; the record ends before the exchange does\"");
    }

    @Test
    void a_body_beyond_its_limit_and_one_that_is_binary_say_so() throws Exception {
        var pieces = List.of(
                asked("POST", "https://a.test/"),
                body(Way.REQUEST, new byte[] {0, 1, 2}),
                answered(200, new Field("content-type", "text/plain")),
                body(Way.ANSWER, utf8("abc")),
                ended(3, 5_000_000));
        assertThat(entries(View.INBOUND, pieces).getFirst().write())
                .contains(
                        "\"postData\":{\"mimeType\":\"x-unknown\",\"text\":\"AAEC\",\"_encoding\":\"base64\"}",
                        "\"content\":{\"size\":5000000,\"mimeType\":\"text/plain\",\"text\":\"abc\","
                                + "\"comment\":\"the first 3 of 5000000 bytes are kept\"}",
                        "\"bodySize\":5000000");
    }

    private static Piece message(Way way, int opcode, Piece.Form form, long whole, byte[] bytes) {
        return new Piece.Message(1, way, NOON, opcode, form, whole, ByteBuffer.wrap(bytes));
    }

    /// As RFC 7692 section 7.2.1 has it: flushed, and without the four bytes of the flush.
    private static byte[] deflated(Deflater deflater, String text) {
        deflater.setInput(utf8(text));
        var block = new byte[1000];
        int length = deflater.deflate(block, 0, block.length, Deflater.SYNC_FLUSH);
        return Arrays.copyOf(block, length - 4);
    }

    @Test
    void the_messages_of_a_websocket_stand_as_chromium_writes_them() throws Exception {
        var deflater = new Deflater(9, /* nowrap= */ true);
        var first = deflated(deflater, "hello hello hello");
        var second = deflated(deflater, "hello hello hello again");
        deflater.end();
        var pieces = List.of(
                asked("GET", "wss://a.test/chat"),
                answered(101),
                message(Way.REQUEST, 1, Piece.Form.PLAIN, 2, utf8("hi")),
                message(Way.ANSWER, 2, Piece.Form.PLAIN, 3, new byte[] {0, 1, 2}),
                message(Way.ANSWER, 1, Piece.Form.DEFLATED, first.length, first),
                message(Way.ANSWER, 1, Piece.Form.DEFLATED, second.length, second),
                message(Way.ANSWER, 1, Piece.Form.DEFLATED, 50, first),
                message(Way.ANSWER, 1, Piece.Form.DEFLATED, second.length, second));
        assertThat(second.length).as("says it by what was before").isLessThan(14);
        var entry = (JsonObject) entries(View.INBOUND, pieces).getFirst();
        assertThat(entry.text("_resourceType")).contains("websocket");
        var messages = ((JsonArray) entry.member("_webSocketMessages").orElseThrow())
                .items().stream().map(JsonValue::write).toList();
        assertThat(messages.get(0))
                .isEqualTo("{\"type\":\"send\",\"time\":1769860800.123456,\"opcode\":1,\"data\":\"hi\"}");
        assertThat(messages.get(1)).contains("\"type\":\"receive\"", "\"opcode\":2,\"data\":\"AAEC\"");
        assertThat(messages.get(2)).contains("\"data\":\"hello hello hello\"");
        assertThat(messages.get(3)).contains("\"data\":\"hello hello hello again\"");
        assertThat(messages.get(4)).contains("\"_encoding\":\"base64, deflated\"", "of 50 bytes are kept");
        assertThat(messages.get(5)).as("what it is decoded by is lost").contains("\"_encoding\":\"base64, deflated\"");
    }
}
