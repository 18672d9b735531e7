package dev.cagewright.mcp.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.guest.Guest;
import dev.cagewright.mcp.guest.Patience;
import dev.cagewright.mcp.guest.Silent;
import dev.cagewright.mcp.rpc.RpcException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Servers that answer in ways of their own: each call has an error at once that says what was wrong, and the next one
/// is answered.
@Timeout(120)
class RemoteHostileTest {
    private static final Duration SHORT = Duration.ofSeconds(2);

    @TempDir
    Path folder;

    private final KeptEars ears = new KeptEars();

    private static String result(PlayedServer.Heard request, String result) {
        return "{'jsonrpc':'2.0','id':" + request.id() + ",'result':" + result + "}";
    }

    private static Arguments odd(String name, PlayedServer.Play play, String said) {
        return Arguments.of(name, play, said);
    }

    private static Stream<Arguments> oddities() {
        return Stream.of(
                odd(
                        "redirect",
                        (_, reply) -> reply.whole(307, "text/plain", "", "Location: http://169.254.169.254/x"),
                        "sends elsewhere (HTTP 307 to http://169.254.169.254/x), and no redirect is followed"),
                odd(
                        "login",
                        (_, reply) -> reply.whole(401, "text/plain", "go away"),
                        "refused (HTTP 401): it may want"),
                odd("page", (_, reply) -> reply.whole(200, "text/html", "<p>hello"), "answered with text/html instead"),
                odd("nothing", (_, reply) -> reply.whole(202, "text/plain", ""), "instead of a message (HTTP 202)"),
                odd("busy", (_, reply) -> reply.whole(503, "text/plain", ""), "refused (HTTP 503): it is busy"),
                odd(
                        "no JSON",
                        (_, reply) -> reply.whole(200, "application/json", "{"),
                        "answered with what is no message"),
                odd(
                        "another id",
                        (_, reply) -> reply.json(200, "{'jsonrpc':'2.0','id':77,'result':{}}"),
                        "answered with an id that is not the request's"),
                odd(
                        "another id in an event",
                        (_, reply) -> reply.stream().write("data: {'jsonrpc':'2.0','id':77,'result':{}}\n\n"),
                        "answered with an id that is not the request's"),
                odd(
                        "a result that is refused",
                        (request, reply) -> reply.json(500, result(request, "{}")),
                        "refused (HTTP 500)"),
                odd(
                        "an error without an id",
                        (_, reply) -> reply.json(
                                400, "{'jsonrpc':'2.0','id':null,'error':{'code':-32000,'message':'no such thing'}}"),
                        "no such thing"),
                odd(
                        "half an event",
                        (request, reply) -> {
                            return reply.stream().write("data: " + result(request, "{}") + "\n");
                        },
                        "ended its stream before it answered"),
                odd(
                        "no message in an event",
                        (_, reply) -> {
                            return reply.stream().write("data: hello\n\n");
                        },
                        "answered with what is no message"),
                odd("the connection ends", (_, _) -> true, "could not be had: the upstream closed the connection"),
                odd(
                        "half a body",
                        (_, reply) -> {
                            return reply.write(
                                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{");
                        },
                        "gave no whole answer"),
                odd("no HTTP", (_, reply) -> reply.write("SSH-2.0-x\r\n"), "could not be had"),
                odd(
                        "an endless event",
                        (_, reply) -> {
                            reply.stream().write("data: ");
                            return reply.flood("x");
                        },
                        "sent an event of more than 16777216 bytes"),
                odd(
                        "an event of endless lines",
                        (_, reply) -> {
                            return reply.stream().flood("data: x\n");
                        },
                        "sent an event of more than 16777216 bytes"),
                odd(
                        "an endless body",
                        (_, reply) -> {
                            reply.write(
                                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n");
                            return reply.flood(" ");
                        },
                        "sent more than 16777216 bytes at once"),
                odd(
                        "an endless page",
                        (_, reply) -> {
                            reply.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n");
                            return reply.flood("x");
                        },
                        "sent more than 65536 bytes at once"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("oddities")
    void an_odd_answer_is_an_error_at_once(String name, PlayedServer.Play play, String said)
            throws IOException, RpcException, InterruptedException {
        try (var server = new PlayedServer(
                        (request, reply) -> request.method().equals("x") && play.answers(request, reply));
                var there = Elsewhere.allowed(folder, server.port());
                var guest = new Guest(there, ears, Patience.USUAL)) {
            assertThatThrownBy(() -> guest.serving().ask("x", JsonObject.EMPTY, Silent.CALLER))
                    .as(name)
                    .isInstanceOf(RpcException.class)
                    .hasMessageContaining(said);
            assertThat(guest.serving()
                            .ask("again", JsonObject.EMPTY, Silent.CALLER)
                            .write())
                    .isEqualTo("{\"again\":1}");
            assertThat(there.runs()).isEqualTo(1);
        }
    }

    @Test
    void an_event_is_one_message_however_its_lines_end() throws IOException, RpcException, InterruptedException {
        try (var server = new PlayedServer((request, reply) -> request.method().equals("x")
                        && reply.stream()
                                .write(": {'jsonrpc':'2.0','id':" + request.id() + ",'result':{'comment':1}}\r\n\r\n"
                                        + "event: other\rdata: " + result(request, "{'other':1}") + "\r\r"
                                        + "data: {'jsonrpc':'2.0',\rdata: 'id':" + request.id()
                                        + ",\r\ndata: 'result':{'a':'1\\n{}\\r\\u2028'}}\n\n"));
                var there = Elsewhere.allowed(folder, server.port());
                var guest = new Guest(there, ears, Patience.USUAL)) {
            assertThat(guest.serving().ask("x", JsonObject.EMPTY, Silent.CALLER).text("a"))
                    .contains("1\n{}\r\u2028");
            assertThat(guest.serving()
                            .ask("again", JsonObject.EMPTY, Silent.CALLER)
                            .write())
                    .isEqualTo("{\"again\":1}");
        }
    }

    @Test
    void a_server_that_never_answers_is_left_in_the_end() throws IOException, InterruptedException {
        var left = new CountDownLatch(1);
        try (var server = new PlayedServer((request, reply) -> {
                    if (!request.method().equals("x")) {
                        return false;
                    }
                    try {
                        return reply.stream().flood(": still here\n\n");
                    } finally {
                        left.countDown();
                    }
                });
                var there = Elsewhere.allowed(folder, server.port());
                var guest = new Guest(there, ears, Patience.USUAL.withQuiet(SHORT))) {
            assertThatThrownBy(() -> guest.serving().ask("x", JsonObject.EMPTY, Silent.CALLER))
                    .hasMessageContaining("gave no answer to x within 2 s");
            assertThat(left.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_session_id_that_none_can_have_opens_nothing() throws IOException, InterruptedException {
        try (var server = new PlayedServer((request, reply) -> request.method().equals("initialize")
                        && reply.json(200, result(request, "{}"), "Mcp-Session-Id: a b"));
                var there = Elsewhere.allowed(folder, server.port());
                var _ = new Guest(there, ears, Patience.USUAL)) {
            assertThat(ears.told.poll(60, TimeUnit.SECONDS)).contains("gave its session an id that none can have");
        }
    }

    @Test
    void an_address_where_nobody_is_says_so() throws IOException, InterruptedException {
        int port;
        try (var closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        try (var there = Elsewhere.allowed(folder, port);
                var _ = new Guest(there, ears, Patience.USUAL)) {
            assertThat(ears.told.poll(60, TimeUnit.SECONDS)).contains("could not be had", "it is run again");
        }
    }
}
