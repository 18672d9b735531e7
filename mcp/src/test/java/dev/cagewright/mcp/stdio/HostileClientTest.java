package dev.cagewright.mcp.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.door.EchoOffer;
import dev.cagewright.mcp.door.Reception;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 180, unit = TimeUnit.SECONDS)
class HostileClientTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    private static final String PONG = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";

    private final EchoOffer offer = new EchoOffer();

    private static String error(JsonObject answer) {
        return answer.member("error").orElseThrow().write();
    }

    @Test
    void B210_a_line_that_is_too_long_is_an_error_and_the_next_one_is_answered() throws Exception {
        try (var client = new PipedClient(offer)) {
            var long5 = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"x\":\"%s\"}}"
                    .formatted("x".repeat(5 << 20));
            assertThat(error(client.ask(long5)))
                    .contains("-32700", "the message has more than 4194304 bytes and is not read: send less at once");
            assertThat(client.ask(PING).write()).isEqualTo(PONG);
            assertThat(error(client.ask("[".repeat(100_000)))).contains("-32700");
            assertThat(error(client.ask(
                            "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"ping\"}".formatted("i".repeat(1 << 20)))))
                    .contains("-32600");
            assertThat(client.ask(PING).write()).isEqualTo(PONG);
        }
    }

    @Test
    void B210_a_line_just_short_enough_is_answered() throws Exception {
        try (var client = new PipedClient(offer)) {
            var most = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
            assertThat(client.ask(most + " ".repeat(StdioDoor.MAX_FRAME - most.length()))
                            .write())
                    .isEqualTo(PONG);
        }
    }

    @Test
    void B210_a_line_without_end_ends_the_session_and_fills_no_memory() throws Exception {
        try (var client = new PipedClient(offer)) {
            var piece = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
            Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < 2048; i++) {
                        client.bytes(piece);
                    }
                } catch (IOException _) {
                    return; // nobody reads any more
                }
            });
            assertThat(error(client.nextObject())).contains("-32700");
            assertThat(client.serverEnds()).isTrue();
        }
    }

    @Test
    void B216_bytes_that_are_no_utf_8_are_a_parse_error_and_a_good_line_is_answered() throws Exception {
        try (var client = new PipedClient(offer)) {
            var start = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"x\":\"";
            for (byte[] bad : List.of(
                    new byte[] {(byte) 0xff},
                    new byte[] {(byte) 0xc0, (byte) 0x80},
                    "\\ud800".getBytes(StandardCharsets.US_ASCII),
                    "\\uDC00\\ud800".getBytes(StandardCharsets.US_ASCII),
                    new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80})) {
                client.bytes(start.getBytes(StandardCharsets.UTF_8));
                client.bytes(bad);
                client.say("\"}}");
                var answer = client.nextObject();
                assertThat(error(answer)).contains("-32700");
                assertThat(answer.member("id").orElseThrow().write()).isEqualTo("null");
                assertThat(client.ask(PING).write()).isEqualTo(PONG);
            }
            client.say(start + "\\ud83d\\ude00\"}}");
            assertThat(client.next().write()).isEqualTo(PONG);
        }
    }

    @Test
    void B216_utf_16_is_answered_by_errors_and_a_good_line_is_answered() throws Exception {
        try (var client = new PipedClient(offer)) {
            client.bytes((PING + "\n").getBytes(StandardCharsets.UTF_16LE));
            assertThat(error(client.nextObject())).contains("-32700");
            client.say("");
            assertThat(error(client.nextObject())).contains("-32700");
            assertThat(client.ask(PING).write()).isEqualTo(PONG);
        }
    }

    @Test
    void B234_what_a_call_throws_is_an_error_with_a_name_for_the_log_and_the_session_goes_on() throws Exception {
        try (var client = new PipedClient(offer)) {
            client.open("2025-11-25", "{}");
            for (String bad : List.of("throw", "overflow", "deep", "big")) {
                client.say(PipedClient.call(7, bad, "{}"));
                assertThat(error(client.answerTo(7)))
                        .as(bad)
                        .contains("-32603")
                        .doesNotContain("secret")
                        .containsPattern("under [0-9a-f-]{36}|ask for less");
                assertThat(client.ask(PING).write()).isEqualTo(PONG);
            }
        }
    }

    @Test
    void a_thousand_requests_at_once_are_answered_and_too_many_are_told_so() throws Exception {
        try (var client = new PipedClient(offer)) {
            client.open("2025-11-25", "{}");
            for (int id = 1; id <= Reception.MOST_UNDER_WAY; id++) {
                client.say(PipedClient.call(id, "hold", String.valueOf(id)));
            }
            client.say(PipedClient.call(5000, "hold", "5000"));
            assertThat(error(client.answerTo(5000)))
                    .contains("-32603", "1024 requests are under way: ask again when one is answered");
            assertThat(client.ask("{\"jsonrpc\":\"2.0\",\"id\":6000,\"method\":\"ping\"}")
                            .write())
                    .contains("6000");

            for (int i = 0; i < Reception.MOST_UNDER_WAY; i++) {
                offer.held.take();
            }
            offer.gate.countDown();
            var answered = new HashSet<String>();
            for (int i = 0; i < Reception.MOST_UNDER_WAY; i++) {
                var answer = client.nextObject();
                assertThat(answer.member("result")).isPresent();
                answered.add(answer.member("id").orElseThrow().write());
            }
            assertThat(answered).hasSize(Reception.MOST_UNDER_WAY);
        }
    }

    @Test
    void an_id_that_is_under_way_is_refused_and_zero_and_its_text_are_two_ids() throws Exception {
        try (var client = new PipedClient(offer)) {
            client.open("2025-11-25", "{}");
            client.say(PipedClient.call(0, "hold", "{}"));
            offer.held.take();

            assertThat(error(client.ask(PipedClient.call(0, "echo", "{}"))))
                    .contains("-32600", "a request of the id 0 is under way: take another id");
            assertThat(client.ask(PipedClient.call(0, "echo", "{}").replace("\"id\":0", "\"id\":\"0\""))
                            .text("id"))
                    .contains("0");
            offer.gate.countDown();
            assertThat(client.answerTo(0).member("result")).isPresent();
            client.say(PipedClient.call(0, "echo", "{}"));
            assertThat(client.answerTo(0).member("result")).isPresent();
        }
    }

    @Test
    void B214_a_call_that_its_client_takes_back_is_stopped_and_never_answered() throws Exception {
        try (var client = new PipedClient(offer)) {
            client.open("2025-11-25", "{}");
            client.say(PipedClient.call(3, "hold", "{\"n\":3}"));
            offer.held.take();
            client.say(
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":3,\"reason\":\"no\"}}");

            assertThat(offer.cancelled.take()).isEqualTo("{\"n\":3}");
            offer.gate.countDown();
            assertThat(client.ask(PING).write()).isEqualTo(PONG);
            client.say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"3\"}}");
            client.hangUp();
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    void B214_what_is_under_way_when_the_client_hangs_up_is_stopped() throws Exception {
        try (var client = new PipedClient(offer)) {
            client.open("2025-11-25", "{}");
            client.say(PipedClient.call(3, "sleep", "{\"n\":3}"));
            client.ask(PING);
            client.hangUp();

            assertThat(offer.cancelled.take()).isEqualTo("{\"n\":3}");
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    void a_client_that_reads_nothing_is_given_up_and_holds_nobody() throws Exception {
        try (var client = new PipedClient(offer, Duration.ofSeconds(3))) {
            client.open("2025-11-25", "{}");
            var much = "\"" + "x".repeat(1 << 20) + "\"";
            for (int id = 1; id <= 100; id++) {
                client.say(PipedClient.call(id, "echo", much));
            }
            assertThat(client.serverEnds()).isTrue();
        }
    }

    @Test
    void a_client_whose_side_is_gone_ends_the_session() throws Exception {
        try (var client = new PipedClient(offer)) {
            client.open("2025-11-25", "{}");
            client.say(PipedClient.call(3, "sleep", "{\"n\":3}"));
            client.ask(PING);
            client.stopReading();
            client.say(PING);

            assertThat(offer.cancelled.take()).isEqualTo("{\"n\":3}");
            assertThat(client.serverEnds()).isTrue();
        }
    }

    @Test
    void a_stream_that_breaks_ends_the_session() throws IOException, InterruptedException {
        var broken = new PipedOutputStream();
        try (InputStream in = new PipedInputStream(broken)) {
            var writer = Thread.ofPlatform().start(() -> {
                try {
                    broken.write(1);
                } catch (IOException _) {
                    return; // closed meanwhile
                }
            });
            writer.join();
            StdioDoor.serve(offer, in, OutputStream.nullOutputStream());
        }
        assertThat(offer.listening()).isZero();
    }
}
