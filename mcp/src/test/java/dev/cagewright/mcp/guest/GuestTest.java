package dev.cagewright.mcp.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.offer.Offer.Change;
import dev.cagewright.mcp.protocol.ProtocolVersion;
import dev.cagewright.mcp.rpc.RpcException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class GuestTest {
    @TempDir
    Path folder;

    private final Listener ears = new Listener();

    private JsonObject ask(Guest guest, String method) throws RpcException, InterruptedException {
        return guest.serving().ask(method, JsonObject.EMPTY, Silent.CALLER);
    }

    private Puppet puppet(Puppet.Play play) {
        return new Puppet(folder, "puppet", play);
    }

    private Guest guest(Puppet puppet) {
        return new Guest(puppet, ears, Patience.USUAL);
    }

    private static <T> FutureTask<T> beside(Callable<T> callable) {
        var task = new FutureTask<>(callable);
        Thread.ofVirtual().start(task);
        return task;
    }

    @Test
    void a_server_that_knows_no_discovery_is_opened_by_initialize()
            throws IOException, RpcException, InterruptedException {
        try (var puppet = puppet((method, message, stage) ->
                        method.equals("tools/list") && stage.result(message, "{'tools':[]}"));
                var guest = guest(puppet)) {
            assertThat(ask(guest, "tools/list").write()).isEqualTo("{\"tools\":[]}");

            assertThat(guest.serving().agreed().version()).isEqualTo(ProtocolVersion.V2025_11_25);
            assertThat(puppet.heard().stream().map(one -> one.text("method").orElse("")))
                    .containsExactly("server/discover", "initialize", "notifications/initialized", "tools/list");
            assertThat(Puppet.inside(puppet.heard("initialize").getFirst(), "params", "protocolVersion"))
                    .isEqualTo("\"2025-11-25\"");
            assertThat(puppet.heard("tools/list").getFirst().member("params")).isEmpty();
        }
    }

    @Test
    void a_server_that_dies_of_discovery_is_not_asked_twice() throws IOException, RpcException, InterruptedException {
        try (var puppet = puppet((method, message, stage) -> switch (method) {
                    case "server/discover" -> stage.die();
                    case "x" -> stage.result(message, "{}");
                    default -> false;
                });
                var guest = guest(puppet)) {
            assertThat(ask(guest, "x")).isEqualTo(JsonObject.EMPTY);

            assertThat(puppet.heard("server/discover")).hasSize(1);
            assertThat(puppet.runs()).isEqualTo(2);
        }
    }

    @Test
    void a_server_without_a_session_is_spoken_to_as_it_wants_and_answers_as_one_with_a_session()
            throws IOException, RpcException, InterruptedException {
        try (var puppet = puppet((method, message, stage) -> switch (method) {
                    case "server/discover" ->
                        stage.result(
                                message,
                                "{'resultType':'complete','supportedVersions':['2026-07-28'],'capabilities':{'tools':{}},"
                                        + "'_meta':{'io.modelcontextprotocol/serverInfo':{'name':'new','version':'2'}}}");
                    case "tools/call" ->
                        Puppet.inside(message, "params", "inputResponses").equals("null")
                                ? stage.result(
                                        message,
                                        "{'resultType':'input_required','requestState':'s1','inputRequests':{'q':"
                                                + "{'method':'elicitation/create','params':{'message':'sure?'}}}}")
                                : stage.result(message, "{'resultType':'complete','ttlMs':5,'content':[]}");
                    case "subscriptions/listen" ->
                        stage.say("{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}");
                    default -> false;
                });
                var guest = guest(puppet)) {
            var found = guest.serving()
                    .ask("tools/call", Json.object().put("name", "t").build(), new KeptCaller());

            assertThat(found.write()).isEqualTo("{\"content\":[]}");
            assertThat(guest.serving().agreed().info().text("name")).contains("new");
            assertThat(ears.asked).containsExactly("elicitation/create {\"message\":\"sure?\"}");
            var again = puppet.heard("tools/call").getLast();
            assertThat(Puppet.inside(again, "params", "inputResponses")).isEqualTo("{\"q\":{\"action\":\"accept\"}}");
            assertThat(Puppet.inside(again, "params", "requestState")).isEqualTo("\"s1\"");
            assertThat(Puppet.inside(again, "params", "_meta", "io.modelcontextprotocol/protocolVersion"))
                    .isEqualTo("\"2026-07-28\"");
            assertThat(Puppet.inside(again, "params", "_meta", "io.modelcontextprotocol/clientCapabilities"))
                    .isEqualTo("{\"elicitation\":{}}");
            while (ears.changes.isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(ears.changes).containsExactly(Change.Lists.TOOLS);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'jsonrpc':'2.0','id':'ID','result':{}}",
                "{'jsonrpc':'2.0','id':null,'error':{'code':-32700,'message':'what?'}}",
                "{'jsonrpc':'2.0','id':ID,'result':{},'error':{'code':1,'message':'m'}}",
                "{'jsonrpc':'2.0','id':ID}",
                "{'jsonrpc':'2.0','id':ID,'result':{},'extra':1}",
                "{'jsonrpc':'1.0','id':ID,'result':{}}",
                "{'id':ID,'result':{}}",
                "{'jsonrpc':'2.0','id':ID,'result':7}",
                "{'jsonrpc':'2.0','id':ID,'error':'no'}",
                "{'jsonrpc':'2.0','result':{}}",
                "{'jsonrpc':'2.0','id':ID,'result':{},'result':{'a':1}}",
                "{'jsonrpc':'2.0','id':ID,'result':{'a':",
                "[{'jsonrpc':'2.0','id':ID,'result':{}}]"
            })
    void B227_an_answer_that_is_none_fails_its_call_at_once(String answer) throws IOException, InterruptedException {
        try (var puppet = puppet((method, message, stage) ->
                        method.equals("x") && stage.say(answer.replace("ID", Puppet.id(message))));
                var guest = guest(puppet)) {
            assertThatThrownBy(() -> ask(guest, "x"))
                    .isInstanceOf(RpcException.class)
                    .hasMessageContaining("the MCP server puppet answered ");
        }
    }

    @Test
    void a_late_and_a_double_answer_go_nowhere() throws IOException, RpcException, InterruptedException {
        try (var puppet = puppet((method, message, stage) -> method.equals("x")
                        && stage.say("{'jsonrpc':'2.0','id':999,'result':{'n':0}}")
                        && stage.result(message, "{'n':1}")
                        && stage.result(message, "{'n':2}"));
                var guest = guest(puppet)) {
            assertThat(ask(guest, "x").write()).isEqualTo("{\"n\":1}");
            assertThat(ask(guest, "x").write()).isEqualTo("{\"n\":1}");
            assertThat(puppet.runs()).isEqualTo(1);
        }
    }

    @Test
    void junk_is_dropped_and_told_once_and_blank_lines_are_no_junk()
            throws IOException, RpcException, InterruptedException {
        try (var puppet = puppet((method, message, stage) -> method.equals("x")
                        && stage.write("\r\n\n")
                        && stage.say("Server listening on \u001b[31mstdio")
                        && stage.say("ready")
                        && stage.write("{\"jsonrpc\":\"2.0\",\"id\":" + Puppet.id(message) + ",\"result\":{}}\r\n"));
                var guest = guest(puppet)) {
            assertThat(ask(guest, "x")).isEqualTo(JsonObject.EMPTY);
            assertThat(ears.told)
                    .containsExactly("writes to its standard output what is no message, and that is dropped:"
                            + " Server listening on \u001b[31mstdio");
        }
    }

    @Test
    void too_much_junk_ends_the_run_and_the_next_is_as_good_as_new()
            throws IOException, RpcException, InterruptedException {
        try (var puppet = puppet((method, message, stage) -> method.equals("x")
                        && (stage.run() == 1 ? stage.write("junk\n".repeat(2_000)) : stage.result(message, "{}")));
                var guest = guest(puppet)) {
            assertThatThrownBy(() -> ask(guest, "x")).hasMessageContaining("that are no messages");
            assertThat(ask(guest, "x")).isEqualTo(JsonObject.EMPTY);
            assertThat(puppet.runs()).isEqualTo(2);
        }
    }

    @Test
    void B210_a_line_without_end_ends_the_run_and_holds_no_more_than_its_bound()
            throws IOException, RpcException, InterruptedException {
        try (var puppet = puppet((method, message, stage) -> {
                    if (!method.equals("x")) {
                        return false;
                    }
                    if (stage.run() > 1) {
                        return stage.result(message, "{}");
                    }
                    try {
                        var much = "y".repeat(1 << 20);
                        for (int i = 0; i < 2_048; i++) {
                            stage.write(much);
                        }
                        return true;
                    } catch (IOException _) {
                        return true; // nobody reads on
                    }
                });
                var guest = guest(puppet)) {
            assertThatThrownBy(() -> ask(guest, "x"))
                    .hasMessageContaining("wrote a message of more than 16777216 bytes");
            assertThat(ask(guest, "x")).isEqualTo(JsonObject.EMPTY);
        }
    }

    @Test
    void B210_B234_five_megabytes_are_a_message_and_a_hundred_thousand_brackets_none()
            throws IOException, RpcException, InterruptedException {
        var text = "z".repeat(5 << 20);
        try (var puppet = puppet((method, message, stage) -> switch (method) {
                    case "long" -> stage.result(message, "{'t':'" + text + "'}");
                    case "deep" ->
                        stage.say("{'jsonrpc':'2.0','id':" + Puppet.id(message) + ",'result':{'a':"
                                + "[".repeat(100_000) + "]".repeat(100_000) + "}}");
                    default -> false;
                });
                var guest = guest(puppet)) {
            assertThat(ask(guest, "long").text("t")).contains(text);
            assertThatThrownBy(() -> ask(guest, "deep")).hasMessageContaining("answered with what is no answer");
            assertThat(ask(guest, "long").text("t")).contains(text);
        }
    }

    @Test
    void a_server_that_dies_fails_what_waits_and_is_there_again()
            throws IOException, RpcException, InterruptedException {
        try (var puppet = puppet((method, message, stage) ->
                        method.equals("x") && (stage.run() == 1 ? stage.die() : stage.result(message, "{}")));
                var guest = guest(puppet)) {
            assertThatThrownBy(() -> ask(guest, "x"))
                    .hasMessage("the MCP server puppet ended with exit code 3 before it answered");
            assertThat(ask(guest, "x")).isEqualTo(JsonObject.EMPTY);
            assertThat(ears.told).containsExactly("ended with exit code 3; it is run again");
        }
    }

    @Test
    void a_server_that_always_dies_is_given_up_and_whoever_asks_is_told_at_once()
            throws IOException, InterruptedException {
        try (var puppet = puppet((method, message, stage) -> stage.die());
                var guest = guest(puppet)) {
            assertThatThrownBy(() -> ask(guest, "x")).hasMessageContaining("exit code 3; it is run again when");
            assertThat(puppet.runs()).isEqualTo(Guest.MOST_FAILURES);
            long begun = System.nanoTime();
            assertThatThrownBy(() -> ask(guest, "x")).hasMessageContaining("exit code 3");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void what_the_client_takes_back_the_server_hears_of()
            throws IOException, RpcException, InterruptedException, ExecutionException {
        var begun = new CountDownLatch(1);
        try (var puppet = puppet((method, message, stage) -> {
                    if (method.equals("tools/call")) {
                        begun.countDown();
                        return true;
                    }
                    return method.equals("x") && stage.result(message, "{}");
                });
                var guest = guest(puppet)) {
            var caller = new KeptCaller();
            var serving = guest.serving();
            var call = beside(() -> {
                assertThatThrownBy(() -> serving.ask("tools/call", JsonObject.EMPTY, caller))
                        .hasMessage("cancelled");
                return true;
            });
            begun.await();
            caller.cancel();

            assertThat(call.get()).isTrue();
            ask(guest, "x");
            var taken = puppet.heard("notifications/cancelled").getFirst();
            assertThat(Puppet.inside(taken, "params", "requestId"))
                    .isEqualTo(Puppet.id(puppet.heard("tools/call").getFirst()));
        }
    }

    @Test
    void a_server_that_never_answers_is_an_error_and_the_request_is_taken_back()
            throws IOException, InterruptedException {
        try (var puppet = puppet((method, _, _) -> method.equals("slow"));
                var guest = new Guest(puppet, ears, Patience.USUAL.withQuiet(Duration.ofSeconds(2)))) {
            assertThatThrownBy(() -> ask(guest, "slow"))
                    .hasMessage("the MCP server puppet gave no answer to slow within 2 s of its last word, so the"
                            + " request was taken back");
            while (puppet.heard("notifications/cancelled").isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(Puppet.inside(puppet.heard("notifications/cancelled").getFirst(), "params", "requestId"))
                    .isEqualTo(Puppet.id(puppet.heard("slow").getFirst()));
        }
    }

    @Test
    void progress_and_a_log_are_words_of_the_call_that_is_under_way()
            throws IOException, RpcException, InterruptedException {
        try (var puppet = puppet((method, message, stage) -> {
                    if (!method.equals("tools/call")) {
                        return false;
                    }
                    var token = Puppet.inside(message, "params", "_meta", "progressToken");
                    return stage.say("{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':"
                                    + token + ",'progress':0.5,'message':'half'}}")
                            && stage.say("{'jsonrpc':'2.0','method':'notifications/message','params':"
                                    + "{'level':'warning','data':'hm'}}")
                            && stage.result(message, "{}");
                });
                var guest = guest(puppet)) {
            var caller = new KeptCaller();
            guest.serving().ask("tools/call", JsonObject.EMPTY, caller);
            assertThat(caller.heard()).containsExactly("0.5 half", "warning hm");
            assertThat(puppet.heard("notifications/cancelled")).isEmpty();
        }
    }

    @Test
    void a_thousand_calls_are_under_way_at_once_and_each_gets_its_own_answer()
            throws IOException, RpcException, InterruptedException, ExecutionException {
        var waiting = new ConcurrentLinkedDeque<JsonObject>();
        try (var puppet = puppet((method, message, stage) -> {
                    if (!method.equals("x")) {
                        return false;
                    }
                    waiting.addFirst(message);
                    if (waiting.size() == 1_000) {
                        for (JsonObject one : waiting) {
                            stage.result(one, Puppet.inside(one, "params"));
                        }
                    }
                    return true;
                });
                var guest = guest(puppet)) {
            var calls = new ArrayList<FutureTask<JsonObject>>();
            for (int i = 0; i < 1_000; i++) {
                var params = Json.object().put("n", i).build();
                calls.add(beside(() -> guest.serving().ask("x", params, new KeptCaller())));
            }
            for (int i = 0; i < 1_000; i++) {
                assertThat(calls.get(i).get(60, TimeUnit.SECONDS).write()).isEqualTo("{\"n\":" + i + "}");
            }
        } catch (TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void what_a_server_asks_is_brought_to_who_waits_and_a_ping_and_nonsense_are_answered_at_once()
            throws IOException, RpcException, InterruptedException {
        try (var puppet = puppet((method, message, stage) -> switch (method) {
                    case "tools/call" ->
                        stage.say("{'jsonrpc':'2.0','id':'p','method':'ping'}")
                                && stage.say("{'jsonrpc':'2.0','id':'n','method':'tools/list'}")
                                && stage.say("{'jsonrpc':'2.0','id':7,'method':'elicitation/create',"
                                        + "'params':{'message':'?'}}");
                    case "" -> Puppet.id(message).equals("7") && stage.say("{'jsonrpc':'2.0','id':3,'result':{}}");
                    default -> false;
                });
                var guest = guest(puppet)) {
            guest.serving().ask("tools/call", JsonObject.EMPTY, new KeptCaller());

            assertThat(ears.asked).containsExactly("elicitation/create {\"message\":\"?\"}");
            assertThat(puppet.heard().stream()
                            .filter(one -> one.text("method").isEmpty())
                            .map(JsonObject::write))
                    .contains(
                            "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"result\":{}}",
                            "{\"jsonrpc\":\"2.0\",\"id\":\"n\",\"error\":{\"code\":-32601,\"message\":\"no client of this"
                                    + " server answers that\"}}",
                            "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"action\":\"accept\"}}");
        }
    }

    @Test
    void error_output_is_heard_line_by_line_and_what_is_closed_ends()
            throws IOException, RpcException, InterruptedException {
        try (var puppet = puppet((method, message, stage) -> method.equals("x")
                && stage.complain("one\ntwo " + "w".repeat(100_000) + "\nthree\n")
                && stage.result(message, "{}"))) {
            try (var guest = guest(puppet)) {
                ask(guest, "x");
            }
            assertThat(ears.said).containsExactly("one", "(a line of more than 8192 bytes)", "three");
            assertThat(ears.told).isEmpty();
            assertThat(List.of(puppet.runs())).containsExactly(1);
        }
    }
}
