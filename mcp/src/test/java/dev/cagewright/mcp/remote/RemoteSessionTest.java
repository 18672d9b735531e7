package dev.cagewright.mcp.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.guest.Guest;
import dev.cagewright.mcp.guest.KeptCaller;
import dev.cagewright.mcp.guest.Patience;
import dev.cagewright.mcp.guest.Silent;
import dev.cagewright.mcp.offer.Offer.Change;
import dev.cagewright.mcp.rpc.RpcException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server with a session, played.
@Timeout(120)
class RemoteSessionTest {
    @TempDir
    Path folder;

    private final KeptEars ears = new KeptEars();

    private static String result(PlayedServer.Heard request, String result) {
        return "{'jsonrpc':'2.0','id':" + request.id() + ",'result':" + result + "}";
    }

    private JsonObject ask(Guest guest, String method) throws RpcException, InterruptedException {
        return guest.serving().ask(method, JsonObject.EMPTY, Silent.CALLER);
    }

    @Test
    void the_session_is_named_by_every_request_after_the_first_and_ended_at_the_end()
            throws IOException, RpcException, InterruptedException {
        try (var server = new PlayedServer((_, _) -> false)) {
            try (var there = Elsewhere.allowed(folder, server.port(), "X-Own: mine");
                    var guest = new Guest(there, ears, Patience.USUAL)) {
                assertThat(ask(guest, "again").write()).isEqualTo("{\"again\":1}");
            }

            assertThat(server.heard())
                    .allSatisfy(request -> assertThat(request.header("x-own")).isEqualTo("mine"))
                    .extracting(PlayedServer.Heard::method)
                    .startsWith("server/discover", "initialize", "notifications/initialized");
            assertThat(server.heard("initialize").getFirst().headers())
                    .doesNotContainKeys("mcp-session-id", "mcp-protocol-version", "mcp-method")
                    .containsEntry("accept", "application/json, text/event-stream")
                    .containsEntry("content-type", "application/json");
            assertThat(server.heard("again").getFirst().headers())
                    .containsEntry("mcp-session-id", "s-1")
                    .containsEntry("mcp-protocol-version", "2025-11-25");
            assertThat(server.heard().getLast())
                    .satisfies(last -> assertThat(last.verb()).isEqualTo("DELETE"))
                    .satisfies(last -> assertThat(last.header("mcp-session-id")).isEqualTo("s-1"));
        }
    }

    @Test
    void what_it_says_unasked_comes_by_a_stream_that_is_opened_again()
            throws IOException, RpcException, InterruptedException {
        var streams = new AtomicInteger();
        try (var server = new PlayedServer(
                        (request, reply) -> request.verb().equals("GET")
                                && reply.stream()
                                        .write(
                                                "id: e" + streams.incrementAndGet()
                                                        + "\ndata: {'jsonrpc':'2.0','method':'notifications/tools/list_changed'}\n\n"));
                var there = Elsewhere.allowed(folder, server.port());
                var guest = new Guest(there, ears, Patience.USUAL)) {
            ask(guest, "again");

            assertThat(ears.changes.poll(30, TimeUnit.SECONDS)).isEqualTo(Change.Lists.TOOLS);
            assertThat(ears.changes.poll(30, TimeUnit.SECONDS)).isEqualTo(Change.Lists.TOOLS);
            assertThat(server.heard().stream().filter(one -> one.verb().equals("GET")))
                    .extracting(one -> one.header("last-event-id"))
                    .startsWith("", "e1");
        }
    }

    @Test
    void a_server_asks_while_it_is_asked_and_has_its_answer() throws IOException, RpcException, InterruptedException {
        var answered = new CountDownLatch(1);
        try (var server = new PlayedServer((request, reply) -> {
                    if (request.message().member("result").isPresent()) {
                        answered.countDown();
                        return false;
                    }
                    if (!request.method().equals("x")) {
                        return false;
                    }
                    var stream = reply.stream();
                    stream.write("data: {'jsonrpc':'2.0','id':'q','method':'elicitation/create','params':{}}\n\n");
                    return answered.await(60, TimeUnit.SECONDS)
                            && stream.write("data: " + result(request, "{'x':1}") + "\n\n");
                });
                var there = Elsewhere.allowed(folder, server.port());
                var guest = new Guest(there, ears, Patience.USUAL)) {
            assertThat(ask(guest, "x").write()).isEqualTo("{\"x\":1}");
            assertThat(ears.said).contains("elicitation/create");
        }
    }

    @Test
    void a_stream_that_ends_early_is_taken_up_where_it_ended_after_the_pause_that_was_wished()
            throws IOException, RpcException, InterruptedException {
        var ended = new AtomicLong();
        var resumed = new AtomicLong();
        try (var server = new PlayedServer((request, reply) -> {
                    if (request.method().equals("x")) {
                        reply.stream().write("id: 1\nretry: 300\ndata:\n\n");
                        ended.set(System.nanoTime());
                        return true;
                    }
                    if (request.header("last-event-id").equals("1")) {
                        resumed.set(System.nanoTime());
                        return reply.stream().write("id: 2\ndata: {'jsonrpc':'2.0','id':3,'result':{'x':2}}\n\n");
                    }
                    return false;
                });
                var there = Elsewhere.allowed(folder, server.port());
                var guest = new Guest(there, ears, Patience.USUAL)) {
            assertThat(ask(guest, "x").write()).isEqualTo("{\"x\":2}");
            assertThat(resumed.get() - ended.get()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(250));
        }
    }

    @Test
    void a_session_that_is_gone_is_opened_anew_and_what_was_asked_is_not_asked_twice()
            throws IOException, RpcException, InterruptedException {
        try (var server = new PlayedServer((request, reply) -> request.method().equals("x")
                        && reply.json(
                                404,
                                "{'jsonrpc':'2.0','id':null,'error':{'code':-32001,'message':'Session not found'}}"));
                var there = Elsewhere.allowed(folder, server.port());
                var guest = new Guest(there, ears, Patience.USUAL)) {
            assertThat(catchMessage(guest, "x"))
                    .contains("the MCP server acme has ended its session (HTTP 404), and is opened anew");

            assertThat(ask(guest, "again").write()).isEqualTo("{\"again\":1}");
            assertThat(there.runs()).isEqualTo(2);
            assertThat(server.heard("x")).hasSize(1);
        }
    }

    private String catchMessage(Guest guest, String method) throws InterruptedException {
        try {
            return "answered: " + ask(guest, method);
        } catch (RpcException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void what_a_client_takes_back_is_told_to_the_server_and_nobody_waits()
            throws IOException, RpcException, InterruptedException {
        var begun = new CountDownLatch(1);
        var left = new CountDownLatch(1);
        var told = new CountDownLatch(1);
        try (var server = new PlayedServer((request, reply) -> {
                    if (request.method().equals("notifications/cancelled")
                            && request.body().contains("\"requestId\":3")) {
                        told.countDown();
                    }
                    if (!request.method().equals("x")) {
                        return false;
                    }
                    reply.stream();
                    begun.countDown();
                    reply.socket().getInputStream().transferTo(OutputStream.nullOutputStream());
                    left.countDown();
                    return true;
                });
                var there = Elsewhere.allowed(folder, server.port());
                var guest = new Guest(there, ears, Patience.USUAL)) {
            var caller = new KeptCaller();
            var asked = new FutureTask<>(() -> guest.serving().ask("x", JsonObject.EMPTY, caller));
            Thread.ofVirtual().start(asked);
            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();

            caller.cancel();

            assertThat(left.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(ask(guest, "again").write()).isEqualTo("{\"again\":1}");
            assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_session_lasts_as_long_as_its_policy_lets_it() throws IOException, RpcException, InterruptedException {
        try (var server = new PlayedServer((_, _) -> false);
                var there = new Elsewhere(
                        folder,
                        "tool: t\nnet: {hosts: [{host: \"127.0.0.1\", port: " + server.port()
                                + "}]}\nresources: {timeout: 3s}\n",
                        "http://127.0.0.1:" + server.port() + "/mcp");
                var guest = new Guest(there, ears, Patience.USUAL)) {
            assertThat(ask(guest, "again").write()).isEqualTo("{\"again\":1}");

            assertThat(ears.told.poll(60, TimeUnit.SECONDS))
                    .contains("ran out of the time of its policy (resources.timeout); it is run again");
        }
    }
}
