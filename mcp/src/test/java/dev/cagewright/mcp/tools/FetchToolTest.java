package dev.cagewright.mcp.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.session.UnavailableLogException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `http_fetch` by way of the gateway, to a server in the clear on this machine.
class FetchToolTest {
    @TempDir
    private Path folder;

    private final AtomicInteger asked = new AtomicInteger();
    private final ServerSocket server;

    FetchToolTest() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @BeforeEach
    void serve() {
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try {
                    var socket = server.accept();
                    Thread.ofVirtual().start(() -> answer(socket));
                } catch (IOException _) {
                    return;
                }
            }
        });
    }

    private void answer(Socket socket) {
        try (socket) {
            var head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int b = socket.getInputStream().read();
                if (b < 0) {
                    return;
                }
                head.append((char) b);
            }
            asked.incrementAndGet();
            var moved = "HTTP/1.1 302 Found\r\nLocation: http://elsewhere.test/\r\nContent-Length: 0\r\n\r\n";
            var found =
                    "HTTP/1.1 200 OK\r\nX-Kind: plain\r\nContent-Length: 6\r\nContent-Type: text/plain\r\n\r\nhello\n";
            socket.getOutputStream()
                    .write((head.indexOf("/moved") < 0 ? found : moved).getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
        } catch (IOException _) {
            return;
        }
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private ToolBench bench(String more)
            throws IOException, PolicySyntaxException, BadPolicyException, UnavailableLogException {
        return ToolBench.open(folder, folder.toRealPath(), """
                tool: t
                net: {hosts: [{host: api.test, port: %d, addresses: [127.0.0.1], methods: [GET, POST], paths: ["/a/**"]}]}
                %s""".formatted(server.getLocalPort(), more));
    }

    private String request(String path, String more) {
        return "{\"url\": \"http://api.test:%d%s\"%s}".formatted(server.getLocalPort(), path, more);
    }

    private static JsonObject decision(JsonObject result) {
        var meta = (JsonObject) result.member("_meta").orElseThrow();
        return (JsonObject) meta.member(ToolAnswer.DECISION).orElseThrow();
    }

    @Test
    void an_allowed_request_is_answered_with_the_decision_that_is_on_record() throws Exception, InterruptedException {
        try (var bench = bench("")) {
            var result = bench.call("http_fetch", request("/a/x?q=1", ""));

            assertThat(result.write())
                    .contains(
                            "\"isError\":false",
                            "\"status\":200",
                            "\"body\":\"hello\\u000a\"",
                            "{\"name\":\"X-Kind\",\"value\":\"plain\"}");
            var id = decision(result).text("id").orElseThrow();
            assertThat(bench.events())
                    .filteredOn(event -> event.origin().id().equals(id))
                    .extracting(Event::kind)
                    .containsExactly(Event.Kind.INTENT, Event.Kind.OUTCOME);
            assertThat(asked).hasValue(1);
        }
    }

    @Test
    void a_denied_one_reaches_nobody_and_says_which_rule() throws Exception, InterruptedException {
        try (var bench = bench("")) {
            var result = bench.call("http_fetch", request("/b", ""));

            assertThat(result.write()).contains("\"isError\":true", "http.request GET api.test:");
            assertThat(decision(result).member("exit")).contains(JsonNumber.of(4));
            assertThat(asked).hasValue(0);
        }
    }

    @Test
    void no_redirect_is_followed_and_a_long_answer_is_cut_and_said() throws Exception, InterruptedException {
        try (var bench = bench("")) {
            assertThat(bench.call("http_fetch", request("/a/moved", "")).write())
                    .contains("\"status\":302", "{\"name\":\"Location\",\"value\":\"http://elsewhere.test/\"}");
            assertThat(bench.call("http_fetch", request("/a/x", ", \"max_bytes\": 3"))
                            .write())
                    .contains("\"body\":\"hel\"", "\"cut\":\"it is longer than 3 bytes\"");
        }
    }

    @Test
    void fields_of_the_connection_and_secrets_without_tls_are_refused_before_anything_happens()
            throws Exception, InterruptedException {
        try (var bench = bench("")) {
            assertThat(bench.call("http_fetch", request("/a/x", ", \"headers\": {\"Host\": \"other.test\"}"))
                            .write())
                    .contains("headers: \\\"Host\\\"");
            assertThat(bench.call("http_fetch", request("/a/x", ", \"headers\": {\"X\": \"a\\r\\nY: b\"}"))
                            .write())
                    .contains("without control characters");
            assertThat(bench.call("http_fetch", request("/a/x", ", \"credential\": \"key\""))
                            .write())
                    .contains("no secret goes without TLS");
            assertThat(bench.events()).isEmpty();
            assertThat(asked).hasValue(0);
        }
    }

    @Test
    void requests_share_the_cages_gateway_and_what_it_keeps() throws Exception, InterruptedException {
        try (var bench = bench("capture: {har: true, body: 1KiB}\n")) {
            bench.call("http_fetch", request("/a/x", ""));
            bench.call("http_fetch", request("/a/y", ""));
            assertThat(bench.offer().end()).isEmpty();

            assertThat(asked).hasValue(2);
            assertThat(bench.events())
                    .filteredOn(event -> event.actionName().equals("capture.closed"))
                    .singleElement()
                    .extracting(event -> event.detail().write())
                    .asString()
                    .contains("\"exchanges\":2");
        }
    }

    @Test
    void I11_what_the_gateway_wants_approved_is_asked_of_the_clients_person() throws Exception, InterruptedException {
        var asks = "approval: {timeout: 30s, require_for: [{http.request: {methods: [POST], hosts: [api.test]}}]}\n";
        try (var bench = bench(asks)) {
            var yes = new TestCaller(_ -> ToolBench.object("""
                    {"action": "accept", "content": {"approve": true}}"""));
            var done = bench.call("http_fetch", request("/a/x", ", \"method\": \"POST\", \"body\": \"b\""), yes);
            assertThat(done.write()).contains("\"status\":200");
            assertThat(yes.asked()).hasSize(1);
            var no = new TestCaller(_ -> ToolBench.object("""
                    {"action": "decline"}"""));
            var denied = bench.call("http_fetch", request("/a/x", ", \"method\": \"POST\", \"body\": \"b\""), no);
            assertThat(decision(denied).member("exit")).contains(JsonNumber.of(3));
            assertThat(asked).hasValue(1);
        }
    }
}
