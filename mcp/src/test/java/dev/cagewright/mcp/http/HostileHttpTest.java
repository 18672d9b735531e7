package dev.cagewright.mcp.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.mcp.door.EchoOffer;
import dev.cagewright.mcp.offer.Offer.Change;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 180, unit = TimeUnit.SECONDS)
class HostileHttpTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

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

    private static String initialize(String capabilities) {
        return """
                {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
                "capabilities":%s,"clientInfo":{"name":"test","version":"1"}}}""".formatted(capabilities);
    }

    private static RawHttp session(HttpDoor door, String capabilities) throws IOException {
        var opened = new RawHttp(door).post(initialize(capabilities));
        var session = new RawHttp(door).with("Mcp-Session-Id", opened.fields().getOrDefault("mcp-session-id", ""));
        assertThat(session.post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}")
                        .status())
                .isEqualTo(202);
        return session;
    }

    private static String call(String tool, String arguments) {
        return "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":%s}}"
                .formatted(tool, arguments);
    }

    private static String modern(String method, String params) {
        return """
                {"jsonrpc":"2.0","id":5,"method":"%s","params":{"_meta":{\
                "io.modelcontextprotocol/protocolVersion":"2026-07-28",\
                "io.modelcontextprotocol/clientCapabilities":{}}%s}}""".formatted(method, params);
    }

    private RawHttp modern(String method) {
        return new RawHttp(door).with("MCP-Protocol-Version", "2026-07-28").with("Mcp-Method", method);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /mcp HTTP/1.1\r\nHost: {}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: {}\r\nHost: {}\r\nContent-Length: 0\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Length: 0\r\nContent-Length: 1\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost : {}\r\n\r\n",
                "POST /mcp HTTP/1.1\nHost: {}\r\n\r\n",
                "POST  /mcp HTTP/1.1\r\nHost: {}\r\n\r\n",
                "POST /mcp HTTP/2\r\nHost: {}\r\n\r\n",
                "post /mcp HTTP/1.1\r\nHost: {}\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Length: 5000000\r\n\r\n",
                "GET http://evil.test/mcp HTTP/1.1\r\nHost: {}\r\n\r\n",
                "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Length: +1\r\n\r\n0"
            })
    void what_is_not_one_request_exactly_is_refused(String bytes) throws IOException {
        var url = URI.create(door.url());
        try (var channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), url.getPort()))) {
            channel.write(
                    ByteBuffer.wrap(bytes.replace("{}", url.getAuthority()).getBytes(StandardCharsets.US_ASCII)));

            assertThat(RawHttp.read(Channels.newInputStream(channel)).status()).isIn(400, 411, 413, 505);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            Mcp-Method           | tools/list              | 400 | -32020
            Mcp-Method           | -                       | 400 | -32020
            Mcp-Method           | TOOLS/CALL              | 400 | -32020
            Mcp-Name             | other                   | 400 | -32020
            Mcp-Name             | -                       | 400 | -32020
            Mcp-Name             | =?base64?!!?=           | 400 | -32020
            Mcp-Name             | =?base64?/w==?=         | 400 | -32020
            MCP-Protocol-Version | 2025-11-25              | 400 | -32020
            MCP-Protocol-Version | -                       | 400 | -32020
            Mcp-Name             | =?base64?ZWNobw==?=     | 200 | result
            Mcp-Session-Id       | of-another-time         | 200 | result
            """)
    void B225_a_head_that_says_something_else_than_its_message_is_refused(
            String field, String value, int status, String told) throws IOException {
        var http = modern("tools/call").with("Mcp-Name", "echo");

        var answer = (value == null ? http.without(field) : http.with(field, value))
                .post(modern("tools/call", ",\"name\":\"echo\",\"arguments\":{}"));

        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains(told, "\"id\":5");
        assertThat(answer.fields()).doesNotContainKey("mcp-session-id");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            initialize     | 404 | -32601
            ping           | 404 | -32601
            no/such        | 404 | -32601
            """)
    void a_method_that_is_not_there_is_not_found(String method, int status, String code) throws IOException {
        var answer = modern(method).post(modern(method, ""));

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body()).contains(code, "\"id\":5");
    }

    @Test
    void there_is_no_stream_and_no_session_to_end_without_one() throws IOException {
        for (String method : new String[] {"GET", "DELETE", "PUT", "HEAD"}) {
            assertThat(new RawHttp(door).ask(method, "/mcp", "").status()).isEqualTo(405);
        }
        assertThat(new RawHttp(door).with("Mcp-Session-Id", "none").post(PING).status())
                .isEqualTo(404);
        assertThat(new RawHttp(door).ask("GET", "/", "").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"jsonrpc\":", "[]", "7", "{\"jsonrpc\":\"2.0\",\"id\":1}", "[{}]"})
    void what_is_no_message_is_a_bad_request_that_says_why(String body) throws Exception {
        for (RawHttp http : new RawHttp[] {new RawHttp(door), session(door, "{}"), modern("ping")}) {
            var answer = http.post(body);

            assertThat(answer.status()).as(answer.body()).isEqualTo(400);
            assertThat(answer.json().write()).containsPattern("-32(700|600)");
        }
    }

    @Test
    void B214_a_connection_that_ends_stops_what_it_asked_for() throws IOException, InterruptedException {
        var session = session(door, "{}");
        try (var _ = session.send("POST", "/mcp", call("hold", "{\"n\":1}"))) {
            offer.held.take();
        }
        assertThat(offer.cancelled.take()).isEqualTo("{\"n\":1}");

        var params = ",\"name\":\"hold\",\"arguments\":{\"n\":2}";
        try (var _ = modern("tools/call").with("Mcp-Name", "hold").send("POST", "/mcp", modern("tools/call", params))) {
            offer.held.take();
        }
        assertThat(offer.cancelled.take()).isEqualTo("{\"n\":2}");
    }

    @Test
    void B214_a_session_that_ends_stops_its_requests_and_a_request_may_be_taken_back_by_another()
            throws IOException, InterruptedException {
        var session = session(door, "{}");
        try (var held = session.send("POST", "/mcp", call("hold", "{\"n\":1}"))) {
            offer.held.take();
            assertThat(session.post(
                                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":5}}")
                            .status())
                    .isEqualTo(202);
            assertThat(offer.cancelled.take()).isEqualTo("{\"n\":1}");
            assertThat(RawHttp.read(Channels.newInputStream(held)).body()).isEmpty();
        }
        try (var held = session.send("POST", "/mcp", call("hold", "{\"n\":2}"))) {
            offer.held.take();
            session.ask("DELETE", "/mcp", "");
            assertThat(offer.cancelled.take()).isEqualTo("{\"n\":2}");
            assertThat(RawHttp.read(Channels.newInputStream(held)).body()).isEmpty();
        }
    }

    @Test
    void B234_two_sessions_do_not_see_each_other() throws IOException, InterruptedException {
        var one = session(door, "{}");
        var other = session(door, "{}");
        try (var held = one.send("POST", "/mcp", call("hold", "{}"))) {
            offer.held.take();
            other.post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":5}}");
            assertThat(other.post(call("throw", "{}")).body()).contains("-32603");
            assertThat(other.post(call("overflow", "{}")).body()).contains("-32603");
            assertThat(other.ask("DELETE", "/mcp", "").status()).isEqualTo(204);
            assertThat(one.post(PING).body()).contains("\"result\":{}");
            offer.gate.countDown();
            assertThat(RawHttp.read(Channels.newInputStream(held)).body()).contains("\"result\"");
        }
    }

    @Test
    void B233_names_and_arguments_are_utf_8_whatever_the_head_says_of_it() throws Exception {
        var session = session(door, "{}").with("Content-Type", "application/json; charset=iso-8859-1");

        assertThat(session.post(call("echo", "{\"名\":\"😀 é\"}")).json().write())
                .contains("{\\\"名\\\":\\\"😀 é\\\"}");
    }

    @Test
    void B232_a_client_that_takes_no_stream_is_not_asked() throws Exception {
        var session = session(door, "{\"elicitation\":{}}");

        assertThat(session.with("Accept", "application/json")
                        .post(call("ask", "{}"))
                        .body())
                .contains("nobody");
        assertThat(session.post(call("steps", "{}").replace("}}", "},\"_meta\":{\"progressToken\":1}}"))
                        .fields())
                .containsEntry("content-type", "application/json");
    }

    @Test
    void a_question_comes_on_the_stream_of_its_request_and_its_answer_by_another() throws Exception {
        var session = session(door, "{\"elicitation\":{}}");
        try (var asking = session.send("POST", "/mcp", call("ask", "{}"))) {
            var lines = lines(asking);
            var question = until(lines, "elicitation/create");
            var id = question.replaceAll(".*\"id\":(\\d+).*", "$1");
            assertThat(session.post("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"action\":\"cancel\"}}".formatted(id))
                            .status())
                    .isEqualTo(202);
            assertThat(until(lines, "\"id\":5")).contains("cancel");
        }
    }

    @Test
    void what_belongs_to_no_request_comes_on_the_one_stream_of_a_session() throws Exception {
        var session = session(door, "{}");
        try (var stream = session.send("GET", "/mcp", "")) {
            var lines = lines(stream);
            assertThat(session.ask("GET", "/mcp", "").status()).isEqualTo(409);
            offer.tell(Change.Lists.TOOLS);
            assertThat(until(lines, "data")).contains("notifications/tools/list_changed");
        }
    }

    private static BufferedReader lines(SocketChannel channel) throws IOException {
        var in = Channels.newInputStream(channel);
        assertThat(RawHttp.head(in)).contains("Content-Type: text/event-stream", "X-Accel-Buffering: no");
        return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    private static String until(BufferedReader lines, String wanted) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.contains(wanted)) {
                return line;
            }
        }
        throw new IOException("no " + wanted);
    }

    @Test
    void sessions_are_bounded_and_the_one_that_was_idle_longest_makes_place() throws Exception {
        var first = session(door, "{}");
        var second = session(door, "{}");
        for (int i = 2; i < Sessions.MOST; i++) {
            session(door, "{}");
        }
        assertThat(first.post(PING).status()).isEqualTo(200);
        session(door, "{}");

        assertThat(second.post(PING).status()).isEqualTo(404);
        assertThat(first.post(PING).status()).isEqualTo(200);
    }

    @Test
    void a_socket_of_the_file_system_is_for_its_user_and_needs_no_token(@TempDir Path folder) throws Exception {
        var path = folder.resolve("own").resolve("mcp");
        try (var unix = HttpDoor.unix(offer, path)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rw-------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("own"))))
                    .isEqualTo("rwx------");
            assertThat(unix.token()).isEmpty();
            assertThat(session(unix, "{}").post(PING).status()).isEqualTo(200);
            assertThat(new RawHttp(unix).with("Host", "evil.test").post(PING).status())
                    .isEqualTo(403);
            assertThatThrownBy(() -> HttpDoor.unix(offer, path)).hasMessageStartingWith("somebody listens at ");
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void a_socket_is_not_made_where_others_can_enter_or_something_else_stands(@TempDir Path folder) throws Exception {
        var open = Files.createDirectory(
                folder.resolve("open"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        assertThatThrownBy(() -> HttpDoor.unix(offer, open.resolve("s")))
                .hasMessage("the folder %s has to be yours, and closed to others (chmod 700)", open);

        var own = Files.createDirectory(
                folder.resolve("own"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(own.resolve("s"), "mine");
        assertThatThrownBy(() -> HttpDoor.unix(offer, own.resolve("s")))
                .hasMessage("%s is there already, and is no socket", own.resolve("s"));
        assertThat(own.resolve("s")).hasContent("mine");
        assertThatThrownBy(() -> HttpDoor.unix(offer, own.resolve("s".repeat(120))))
                .hasMessageContaining("is no name for a socket (at most 106 bytes)");
    }

    @Test
    void a_socket_that_was_left_over_is_made_anew(@TempDir Path folder) throws Exception {
        var own = Files.createDirectory(
                folder.resolve("own"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (var old = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            old.bind(UnixDomainSocketAddress.of(own.resolve("s")));
        }
        try (var unix = HttpDoor.unix(offer, own.resolve("s"))) {
            assertThat(session(unix, "{}").post(PING).status()).isEqualTo(200);
        }
    }
}
