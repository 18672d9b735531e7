package dev.cagewright.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.guest.KeptCaller;
import dev.cagewright.mcp.guest.Patience;
import dev.cagewright.mcp.guest.Puppet;
import dev.cagewright.mcp.offer.Offer.Change;
import dev.cagewright.mcp.rpc.RpcException;
import dev.cagewright.mcp.stdio.StdioDoor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Servers of 2026-07-28 behind a relay: what they are told of a client, what they ask it, and what they tell it.
@Timeout(60)
class StatelessRelayTest {
    private static final String DISCOVERED = "{'resultType':'complete','supportedVersions':['2026-07-28'],"
            + "'capabilities':{'tools':{},'resources':{'subscribe':true}},'serverInfo':{'name':'puppet','version':'7'}}";

    private static final String SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

    @TempDir
    Path folder;

    private final List<String> told = new CopyOnWriteArrayList<>();

    private Relay.House house() {
        var voice = new Voice() {
            @Override
            public void said(String server, String line) {
                told.add(line);
            }

            @Override
            public void told(String server, String clause) {
                told.add(clause);
            }
        };
        return new Relay.House((_, _) -> new Agreeable(), voice, _ -> Patience.USUAL);
    }

    private static JsonObject json(String text) {
        try {
            return (JsonObject) Json.parse(text.replace('\'', '"'));
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait(); // until the time of the test is over
        }
    }

    /// Is of 2026-07-28, has a tool, and does the rest as `play` says.
    private Puppet stateless(Puppet.Play play) {
        return new Puppet(folder, "one", (method, message, stage) -> switch (method) {
            case "server/discover" -> stage.result(message, DISCOVERED);
            case "tools/list" -> stage.result(message, "{'resultType':'complete','tools':[{'name':'ask'}]}");
            default -> play.hears(method, message, stage);
        });
    }

    private static String abilities(JsonObject request) {
        return Puppet.inside(request, "params", "_meta", "io.modelcontextprotocol/clientCapabilities");
    }

    @Test
    void a_server_knows_what_this_client_can_do_as_far_as_it_may_ask_and_its_list_depends_on_no_client()
            throws IOException, RpcException, InterruptedException {
        try (var server = stateless((method, message, stage) -> method.equals("tools/call")
                        && stage.result(message, "{'resultType':'complete','content':[]}"));
                var relay = Relay.of(server, house())) {
            relay.answer(
                    "tools/call",
                    json("{'name':'ask'}"),
                    new KeptCaller(json("{'elicitation':{'form':{}},'sampling':{},'experimental':{'x':1}}")));
            relay.answer("tools/call", json("{'name':'ask'}"), new KeptCaller());

            assertThat(server.heard("tools/call"))
                    .extracting(StatelessRelayTest::abilities)
                    .containsExactly("{\"elicitation\":{\"form\":{}}}", "{}");
            assertThat(server.heard("tools/list"))
                    .extracting(StatelessRelayTest::abilities)
                    .containsOnly("{\"elicitation\":{}}");
        }
    }

    @Test
    void several_questions_go_together_by_their_names_and_none_where_one_may_not_be_asked()
            throws IOException, RpcException, InterruptedException {
        var who = "'who':{'method':'elicitation/create','params':{'message':'Who?'}}";
        var why = "'why':{'method':'elicitation/create','params':{'message':'Why?'}}";
        var think = "'think':{'method':'sampling/createMessage','params':{}}";
        try (var server = stateless((method, message, stage) -> {
                    var asked = message.write();
                    boolean isAnswered = asked.contains("inputResponses");
                    return method.equals("tools/call")
                            && stage.result(
                                    message,
                                    isAnswered
                                            ? "{'resultType':'complete','content':[]}"
                                            : "{'resultType':'input_required','requestState':'s','inputRequests':{"
                                                    + who + "," + (asked.contains("\"all\"") ? think : why) + "}}");
                });
                var relay = Relay.of(server, house())) {
            var caller = new KeptCaller(json("{'elicitation':{},'sampling':{}}"));
            relay.answer("tools/call", json("{'name':'ask'}"), caller);

            assertThat(caller.heard())
                    .containsExactlyInAnyOrder("elicitation/create [one] Who?", "elicitation/create [one] Why?");
            assertThat(Puppet.inside(server.heard("tools/call").getLast(), "params", "inputResponses"))
                    .contains("\"who\":{\"action\":\"accept\"}", "\"why\":{\"action\":\"accept\"}");

            var other = new KeptCaller(json("{'elicitation':{},'sampling':{}}"));
            assertThatThrownBy(() -> relay.answer("tools/call", json("{'name':'ask','arguments':{'all':1}}"), other))
                    .hasMessageContaining("does not let it ask its client for sampling");
            assertThat(other.heard()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'code':-32021,'message':'m','data':{'requiredCapabilities':{'sampling':{}}}} | -32021 | {'requiredCapabilities':{'sampling':{}}}",
                "{'code':-32602,'message':'m','data':{'uri':'x://1'}}                         | -32602 | {'uri':'cagewright:one:x://1'}",
                "{'code':-32022,'message':'m','data':{'supported':['1']}}                     | -32603 | ",
                "{'code':-32020,'message':'m'}                                                | -32603 | ",
                "{'code':-32042,'message':'m','data':{'elicitations':[]}}                     | -32042 | {'elicitations':[]}",
            })
    void an_error_goes_on_with_its_data_and_not_as_one_of_the_door(String error, long code, String data)
            throws IOException {
        try (var server = stateless((method, message, stage) -> method.equals("resources/read")
                        && stage.say("{'jsonrpc':'2.0','id':" + Puppet.id(message) + ",'error':" + error + "}"));
                var relay = Relay.of(List.of(server), house())) {
            var failed = catchThrowableOfType(
                    RpcException.class,
                    () -> relay.answer("resources/read", json("{'uri':'cagewright:one:x://1'}"), new KeptCaller()));

            assertThat(failed.error().code()).isEqualTo(code);
            assertThat(failed.error().data().map(JsonValue::write).orElse("").replace('"', '\''))
                    .isEqualTo(data == null ? "" : data);
        }
    }

    /// Tells of `x://1` to whoever listens, and knows of nothing else.
    private Puppet telling() {
        return stateless((method, message, stage) -> {
            if (!method.equals("subscriptions/listen") || !message.write().contains("resourceSubscriptions")) {
                return method.equals("notifications/cancelled");
            }
            var id = "'_meta':{'" + SUBSCRIPTION + "':" + Puppet.id(message) + "}";
            var heard = message.write().contains("x://1") ? "'resourceSubscriptions':['x://1']" : "";
            return stage.say("{'jsonrpc':'2.0','method':'notifications/subscriptions/acknowledged','params':{" + id
                            + ",'notifications':{" + heard + "}}}")
                    && stage.say("{'jsonrpc':'2.0','method':'notifications/resources/updated','params':{" + id
                            + ",'uri':'x://1'}}");
        });
    }

    private static List<JsonObject> listened(Puppet server) {
        return server.heard("subscriptions/listen").stream()
                .filter(message -> message.write().contains("resourceSubscriptions"))
                .toList();
    }

    @Test
    void a_resource_is_followed_by_a_request_that_is_taken_back_when_the_last_client_leaves()
            throws IOException, RpcException, InterruptedException {
        var changes = new CopyOnWriteArrayList<Change>();
        try (var server = telling();
                var relay = Relay.of(server, house())) {
            var one = json("{'uri':'x://1'}");
            relay.listen(changes::add);
            relay.answer("resources/subscribe", one, new KeptCaller());
            relay.answer("resources/subscribe", one, new KeptCaller());
            await(() -> changes.contains(new Change.Resource("x://1")));
            assertThat(listened(server)).hasSize(1);

            relay.answer("resources/unsubscribe", one, new KeptCaller());
            assertThat(server.heard("notifications/cancelled")).isEmpty();
            relay.answer("resources/unsubscribe", one, new KeptCaller());
            await(() -> !server.heard("notifications/cancelled").isEmpty());
            assertThat(Puppet.inside(server.heard("notifications/cancelled").getFirst(), "params", "requestId"))
                    .isEqualTo(Puppet.id(listened(server).getFirst()));

            assertThatThrownBy(() -> relay.answer("resources/subscribe", json("{'uri':'x://2'}"), new KeptCaller()))
                    .hasMessage("the MCP server does not tell of that resource");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'2025-11-25','capabilities':{},'clientInfo':{'name':'c','version':'1'}}}"
                        + " | {'jsonrpc':'2.0','id':2,'method':'resources/subscribe','params':{'uri':'x://1'}}",
                "{'jsonrpc':'2.0','method':'notifications/x'}"
                        + " | {'jsonrpc':'2.0','id':2,'method':'subscriptions/listen','params':{'notifications':{'resourceSubscriptions':['x://1']},"
                        + "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28','io.modelcontextprotocol/clientCapabilities':{}}}}",
            })
    void a_client_that_goes_away_follows_nothing_any_more(String first, String second)
            throws IOException, InterruptedException {
        try (var server = telling();
                var relay = Relay.of(server, house())) {
            var words = (first + "\n" + second + "\n").replace('\'', '"').getBytes(StandardCharsets.UTF_8);
            var out = new ByteArrayOutputStream();
            StdioDoor.serve(relay, new ByteArrayInputStream(words), out);

            await(() -> !server.heard("notifications/cancelled").isEmpty());
            assertThat(listened(server)).hasSize(1);
        }
    }
}
