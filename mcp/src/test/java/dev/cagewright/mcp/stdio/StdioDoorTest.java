package dev.cagewright.mcp.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.door.EchoOffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class StdioDoorTest {
    private final EchoOffer offer = new EchoOffer();

    private static JsonObject object(JsonObject of, String member) {
        return (JsonObject) of.member(member).orElseThrow();
    }

    private static String code(JsonObject answer) {
        return object(answer, "error").member("code").orElseThrow().write();
    }

    @Test
    void B208_a_client_that_opens_is_answered_at_once_line_by_line() throws Exception {
        try (var client = new PipedClient(offer)) {
            var opened = client.open("2025-06-18", "{}");

            assertThat(object(opened, "result").text("protocolVersion")).contains("2025-06-18");
            assertThat(client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}")
                            .write())
                    .contains("\"id\":1", "\"name\":\"echo\"");
        }
    }

    @Test
    void B208_line_ends_blanks_a_mark_and_any_cutting_of_writes_are_taken() throws Exception {
        try (var client = new PipedClient(offer)) {
            client.bytes("\ufeff{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n\r\n  \n"
                    .getBytes(StandardCharsets.UTF_8));
            assertThat(client.next().write()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");

            client.say(
                    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}");
            assertThat(client.next().write()).contains("\"id\":2");
            assertThat(client.next().write()).contains("\"id\":3");

            for (byte one :
                    "{\"jsonrpc\":\"2.0\",\"id\":\"é\",\"method\":\"ping\"}\n".getBytes(StandardCharsets.UTF_8)) {
                client.bytes(new byte[] {one});
            }
            assertThat(client.nextObject().text("id")).contains("é");
        }
    }

    @Test
    void B211_what_is_no_message_is_answered_at_once_and_the_next_one_is_too() throws Exception {
        try (var client = new PipedClient(offer)) {
            for (String bad : new String[] {
                "{\"jsonrpc\":\"2.0\",\"id\":5,\"meth",
                "7",
                "nonsense",
                "{\"jsonrpc\":\"2.0\"} {}",
                "[]",
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]"
            }) {
                var answer = client.ask(bad);
                assertThat(answer.member("id").orElseThrow().write()).as(bad).isEqualTo("null");
                assertThat(code(answer)).as(bad).isIn("-32700", "-32600");
                assertThat(client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}")
                                .write())
                        .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    void a_version_that_sessions_have_is_spoken_as_asked(String version) throws Exception {
        try (var client = new PipedClient(offer)) {
            assertThat(object(client.open(version, "{}"), "result").text("protocolVersion"))
                    .contains(version);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-10-07", "2026-07-28", "next"})
    void a_client_that_opens_in_another_version_is_offered_the_newest_that_has_sessions(String version)
            throws Exception {
        try (var client = new PipedClient(offer)) {
            assertThat(object(client.open(version, "{}"), "result").text("protocolVersion"))
                    .contains("2025-11-25");
        }
    }

    @Test
    void a_request_that_says_its_version_needs_no_session() throws Exception {
        try (var client = new PipedClient(offer)) {
            var found = object(client.ask(PipedClient.modern(0, "server/discover", "{}", "")), "result");

            assertThat(found.text("resultType")).contains("complete");
            assertThat(found.write())
                    .contains("\"supportedVersions\":[\"2026-07-28\",", "\"ttlMs\":0", "\"cacheScope\":\"private\"")
                    .contains("\"io.modelcontextprotocol/serverInfo\":{\"name\":\"echo\"");
            assertThat(client.ask(PipedClient.modern(
                                    1, "tools/call", "{}", "\"name\":\"echo\",\"arguments\":{\"a\":1}"))
                            .write())
                    .contains("{\\\"a\\\":1}", "\"resultType\":\"complete\"");
        }
    }

    @Test
    void what_was_piped_in_is_answered_before_the_end() throws Exception {
        var out = new ByteArrayOutputStream();
        var in = PipedClient.modern(1, "tools/call", "{}", "\"name\":\"echo\",\"arguments\":{}") + "\n"
                + PipedClient.modern(2, "tools/list", "{}", "");

        StdioDoor.serve(offer, new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)), out);

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("\"id\":1,\"result\"", "\"id\":2,\"result\"");
    }
}
