package dev.cagewright.mcp.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.mcp.door.EchoOffer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HttpDoorTest {
    private static final String INITIALIZE = """
            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"%s","capabilities":%s,\
            "clientInfo":{"name":"test","version":"1"}}}""";
    private static final String INITIALIZED = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";

    private final EchoOffer offer = new EchoOffer();
    private HttpDoor door;

    @BeforeEach
    void open() throws IOException {
        door = HttpDoor.loopback(offer, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void close() {
        door.close();
    }

    private RawHttp http() {
        return new RawHttp(door);
    }

    private RawHttp session(String version, String capabilities) throws IOException {
        var opened = http().post(INITIALIZE.formatted(version, capabilities));
        assertThat(opened.status()).as(opened.body()).isEqualTo(200);
        var session = http().with("Mcp-Session-Id", opened.fields().getOrDefault("mcp-session-id", ""));
        assertThat(session.post(INITIALIZED).status()).isEqualTo(202);
        return session;
    }

    private RawHttp modern(String method, String name) {
        var http = http().with("MCP-Protocol-Version", "2026-07-28").with("Mcp-Method", method);
        return name.isEmpty() ? http : http.with("Mcp-Name", name);
    }

    private static String modern(long id, String method, String params) {
        return """
                {"jsonrpc":"2.0","id":%d,"method":"%s","params":{"_meta":{\
                "io.modelcontextprotocol/protocolVersion":"2026-07-28",\
                "io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}%s}}""".formatted(id, method, params.isEmpty() ? "" : "," + params);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            Host          | evil.test                  | 403
            Host          | 127.0.0.1.evil.test        | 403
            Host          | 127.0.0.1                  | 403
            Host          | 127.0.0.1:1                | 403
            Host          | -                          | 403
            Origin        | http://evil.test           | 403
            Origin        | null                       | 403
            Origin        | https://localhost          | 403
            Origin        | http://localhost.evil.test | 403
            Content-Type  | text/plain                 | 415
            Content-Type  | -                          | 415
            Accept        | text/html                  | 406
            Authorization | -                          | 401
            Authorization | Bearer                     | 401
            Authorization | Bearer x                   | 401
            Authorization | Basic Zm9vOmJhcg==         | 401
            """)
    void B221_who_is_not_meant_is_refused(String field, String value, int status) throws IOException {
        var http = value == null ? http().without(field) : http().with(field, value);

        var answer = http.post(INITIALIZE.formatted("2025-11-25", "{}"));

        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.fields().keySet()).noneMatch(name -> name.startsWith("access-control"));
        assertThat(answer.fields()).doesNotContainKey("mcp-session-id");
    }

    @Test
    void B221_a_page_of_this_place_and_a_program_without_one_are_let_in() throws IOException {
        var port = door.url().replaceAll("\\D*127.0.0.1:(\\d+).*", "$1");
        for (String origin : new String[] {"http://localhost:" + port, "http://127.0.0.1:" + port}) {
            assertThat(http().with("Origin", origin)
                            .post(INITIALIZE.formatted("2025-11-25", "{}"))
                            .status())
                    .isEqualTo(200);
        }
        assertThat(http().post(INITIALIZE.formatted("2025-11-25", "{}")).status())
                .isEqualTo(200);
    }

    @Test
    void B221_a_preflight_is_refused() throws IOException {
        var answer = http().without("Authorization")
                .with("Origin", "http://evil.test")
                .with("Access-Control-Request-Method", "POST")
                .ask("OPTIONS", "/mcp", "");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(http().ask("OPTIONS", "/mcp", "").status()).isEqualTo(405);
        assertThat(answer.fields().keySet()).noneMatch(name -> name.startsWith("access-control"));
    }

    @Test
    void a_door_is_for_this_machine_only() {
        assertThatThrownBy(() -> HttpDoor.loopback(offer, new InetSocketAddress("0.0.0.0", 0)))
                .isInstanceOf(IOException.class)
                .hasMessage("0.0.0.0 is not loopback: MCP is served on this machine only (127.0.0.1, ::1)");
    }

    @Test
    void a_session_is_opened_used_and_ended() throws Exception {
        var session = session("2025-11-25", "{}");

        var called = session.post(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{}}}");
        assertThat(called.status()).isEqualTo(200);
        assertThat(called.json().write()).contains("\"id\":1", "\"text\":\"{}\"");
        assertThat(session.ask("DELETE", "/mcp", "").status()).isEqualTo(204);
        assertThat(session.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void a_session_may_leave_its_version_unsaid_but_not_say_another() throws Exception {
        var session = session("2025-06-18", "{}");
        var ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

        assertThat(session.post(ping).status()).isEqualTo(200);
        assertThat(session.with("MCP-Protocol-Version", "2025-06-18").post(ping).status())
                .isEqualTo(200);
        assertThat(session.with("MCP-Protocol-Version", "2025-03-26").post(ping).status())
                .isEqualTo(400);
    }

    @Test
    void progress_comes_as_events_before_the_answer() throws Exception {
        var called = session("2025-11-25", "{}").post("""
                {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"steps","arguments":{},\
                "_meta":{"progressToken":"t"}}}""");

        assertThat(called.fields()).containsEntry("content-type", "text/event-stream");
        assertThat(called.body().split("data: ", -1)).hasSize(6);
        assertThat(called.body()).containsSubsequence("\"progress\":1,", "\"progress\":3.5", "\"result\"");
    }

    @Test
    void a_request_that_carries_its_version_needs_no_session() throws Exception {
        var found = modern("server/discover", "").post(modern(1, "server/discover", ""));

        assertThat(found.status()).isEqualTo(200);
        assertThat(found.json().write()).contains("\"supportedVersions\":[\"2026-07-28\"");
        assertThat(found.fields()).doesNotContainKey("mcp-session-id");
        assertThat(modern("tools/call", "=?base64?ZWNobw==?=")
                        .post(modern(1, "tools/call", "\"name\":\"echo\",\"arguments\":{}"))
                        .status())
                .isEqualTo(200);
    }
}
