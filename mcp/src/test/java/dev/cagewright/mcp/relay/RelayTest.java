package dev.cagewright.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.mcp.guest.GuestProgram.Standing;
import dev.cagewright.mcp.guest.KeptCaller;
import dev.cagewright.mcp.guest.Patience;
import dev.cagewright.mcp.guest.Puppet;
import dev.cagewright.mcp.judge.JudgeGround;
import dev.cagewright.mcp.offer.Offer.Change;
import dev.cagewright.mcp.pin.Pins;
import dev.cagewright.mcp.rpc.RpcException;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.secrets.redact.Redaction;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.secrets.value.SecretValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class RelayTest {
    @TempDir
    Path folder;

    private final List<String> told = new CopyOnWriteArrayList<>();

    private Relay.House house(Verdicts verdicts) {
        var voice = new Voice() {
            @Override
            public void said(String server, String line) {}

            @Override
            public void told(String server, String clause) {
                told.add(server + " " + clause);
            }
        };
        return new Relay.House((_, _) -> verdicts, voice, _ -> Patience.USUAL);
    }

    private static JsonObject json(String text) {
        try {
            return (JsonObject) Json.parse(text.replace('\'', '"'));
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static String answer(Relay relay, String method, String params) throws RpcException, InterruptedException {
        return relay.answer(method, json(params), new KeptCaller()).write().replace('"', '\'');
    }

    private Puppet having(String name, String... tools) {
        var list = String.join(
                ",",
                List.of(tools).stream()
                        .map(tool -> "{'name':'" + tool + "','inputSchema':{}}")
                        .toList());
        return new Puppet(folder, name, (method, message, stage) -> switch (method) {
            case "tools/list" -> stage.result(message, "{'tools':[" + list + "]}");
            case "tools/call" ->
                stage.result(
                        message,
                        "{'content':[{'type':'text','text':'" + name + "'},{'type':'resource_link',"
                                + "'uri':'x://1','name':'l'}]}");
            case "resources/read" -> stage.result(message, "{'contents':[{'uri':'x://1','text':'" + name + "'}]}");
            default -> false;
        });
    }

    @Test
    void one_server_keeps_its_names_and_several_carry_theirs() throws IOException, RpcException, InterruptedException {
        try (var files = having("files", "read_file");
                var web = having("web", "get", "read_file");
                var alone = Relay.of(files, house(new Agreeable()));
                var both = Relay.of(List.of(files, web), house(new Agreeable()))) {
            assertThat(answer(alone, "tools/list", "{}"))
                    .isEqualTo("{'tools':[{'name':'read_file','inputSchema':{}}]}");
            assertThat(answer(both, "tools/list", "{}"))
                    .contains("'files__read_file'", "'web__get'", "'web__read_file'")
                    .doesNotContain("'read_file'");
            assertThat(answer(both, "tools/call", "{'name':'web__read_file'}"))
                    .isEqualTo("{'content':[{'type':'text','text':'web'},{'type':'resource_link',"
                            + "'uri':'cagewright:web:x://1','name':'l'}]}");
            assertThat(answer(both, "resources/read", "{'uri':'cagewright:files:x://1'}"))
                    .isEqualTo("{'contents':[{'uri':'cagewright:files:x://1','text':'files'}]}");
            assertThatThrownBy(() -> answer(both, "resources/read", "{'uri':'x://1'}"))
                    .hasMessage("no server has a resource of that address: see resources/list");
            assertThatThrownBy(() -> answer(both, "tools/call", "{'name':'read_file'}"))
                    .hasMessage(
                            "there is no tool of that name: see tools/list; one that is new or was changed is held until a person"
                                    + " accepts it (cagewright mcp diff)");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "acme_, status, acme, _status",
        "acme, _status, acme_, status",
        "a, b__c, a__b, c",
        "a__b, c, a, b__c",
        "x, y.z, x, y_z",
        "x.y, z, x_y, z"
    })
    void B223_two_servers_never_come_to_one_name(String one, String tool, String other, String otherTool) {
        assertThat(Names.of(one, tool)).isNotEqualTo(Names.of(other, otherTool)).matches("[A-Za-z0-9_-]{1,64}");
        assertThat(Names.skeleton(Names.of(one, tool))).isNotEqualTo(Names.skeleton(Names.of(other, otherTool)));
    }

    @Test
    void B223_a_long_name_is_cut_and_stays_its_own() {
        var one = Names.of("server", "t".repeat(200) + "a");

        assertThat(one).hasSizeLessThanOrEqualTo(Names.LONGEST).startsWith("server__tttt");
        assertThat(one).isNotEqualTo(Names.of("server", "t".repeat(200) + "b"));
        assertThat(Names.of("srv", "f_o")).isEqualTo("srv__f_o");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "get\u200b", "ge\u0301t"})
    void B223_names_that_could_be_taken_for_each_other_lead_nowhere_and_are_reported(String twin)
            throws IOException, RpcException, InterruptedException {
        var first = twin.equals("ge\u0301t") ? "g\u00e9t" : "get";
        try (var server = having("one", first, twin, "other");
                var relay = Relay.of(server, house(new Agreeable()))) {
            assertThat(answer(relay, "tools/list", "{}")).isEqualTo("{'tools':[{'name':'other','inputSchema':{}}]}");
            assertThatThrownBy(() -> answer(relay, "tools/call", "{'name':'" + first + "'}"))
                    .hasMessageContaining("could be taken for each other, so neither can be reached");
            assertThat(told).hasSize(1).first().asString().contains("has names in conflict");
        }
    }

    @Test
    void B223_the_order_of_servers_makes_no_difference_to_what_a_name_means()
            throws IOException, RpcException, InterruptedException {
        try (var one = having("acme", "run_command");
                var other = having("Acme", "run_command", "more");
                var relay = Relay.of(List.of(one, other), house(new Agreeable()));
                var turned = Relay.of(List.of(other, one), house(new Agreeable()))) {
            for (Relay each : List.of(relay, turned)) {
                assertThat(answer(each, "tools/list", "{}"))
                        .contains("'Acme__more'")
                        .doesNotContain("run_command");
                assertThatThrownBy(() -> answer(each, "tools/call", "{'name':'acme__run_command'}"))
                        .hasMessageContaining("could be taken for each other");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''    | none",
                "'a'   | gives the same cursor twice",
                "COUNT | has more than 500 pages",
            })
    void B217_a_list_ends_or_is_refused_whole(String cursor, String why) throws IOException, InterruptedException {
        try (var server = new Puppet(folder, "pages", (method, message, stage) -> {
                    var given = Puppet.inside(message, "params", "cursor").replaceAll("\\D", "");
                    var next = cursor.equals("COUNT")
                            ? "'" + (given.isEmpty() ? 1 : Integer.parseInt(given) + 1) + "'"
                            : "'" + cursor.replace("'", "") + "'";
                    return method.equals("tools/list")
                            && stage.result(message, "{'tools':[{'name':'t" + given + "'}],'nextCursor':" + next + "}");
                });
                var relay = Relay.of(server, house(new Agreeable()))) {
            if (why.equals("none")) {
                assertThat(answer(relay, "tools/list", "{}")).isEqualTo("{'tools':[{'name':'t'}]}");
            } else {
                assertThatThrownBy(() -> answer(relay, "tools/list", "{}"))
                        .hasMessageContaining(why)
                        .hasMessageContaining("none of it is taken");
            }
        } catch (RpcException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_long_list_has_pages_and_a_made_up_cursor_is_refused()
            throws IOException, RpcException, InterruptedException {
        var names = new String[1_500];
        for (int i = 0; i < names.length; i++) {
            names[i] = "t" + i;
        }
        try (var server = having("many", names);
                var relay = Relay.of(server, house(new Agreeable()))) {
            assertThat(answer(relay, "tools/list", "{}")).contains("'t999'", "'nextCursor':'1000'");
            assertThat(answer(relay, "tools/list", "{'cursor':'1000'}"))
                    .contains("'t1499'")
                    .doesNotContain("nextCursor", "'t999'");
            for (String odd : List.of("'0'", "'1500'", "'x'", "7", "''")) {
                assertThatThrownBy(() -> answer(relay, "tools/list", "{'cursor':" + odd + "}"))
                        .hasMessage("the cursor is none of this list: leave it out to begin again");
            }
        }
    }

    /// Tells of a resource when it is read, and dies when a tool of it is called.
    private Puppet telling() {
        return new Puppet(folder, "one", (method, message, stage) -> switch (method) {
            case "initialize" ->
                stage.result(
                        message,
                        "{'protocolVersion':'2025-11-25','capabilities':{'resources':{'subscribe':true}},"
                                + "'serverInfo':{'name':'puppet','version':'7'}}");
            case "resources/subscribe", "resources/unsubscribe" -> stage.result(message, "{}");
            case "resources/read" ->
                stage.say("{'jsonrpc':'2.0','method':'notifications/resources/updated','params':{'uri':'x://1'}}")
                        && stage.result(message, "{'contents':[]}");
            case "completion/complete" -> stage.die();
            default -> false;
        });
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait(); // until the time of the test is over
        }
    }

    @Test
    void a_resource_is_followed_until_the_last_client_leaves_it_and_in_a_server_that_was_run_again()
            throws IOException, RpcException, InterruptedException {
        var changes = new CopyOnWriteArrayList<Change>();
        try (var server = telling();
                var relay = Relay.of(List.of(server), house(new Agreeable()))) {
            var one = "{'uri':'cagewright:one:x://1'}";
            relay.listen(changes::add);
            answer(relay, "resources/subscribe", one);
            answer(relay, "resources/subscribe", one);
            answer(relay, "resources/read", one);
            await(() -> changes.contains(new Change.Resource("cagewright:one:x://1")));

            answer(relay, "resources/unsubscribe", one);
            assertThat(server.heard("resources/unsubscribe")).isEmpty();
            assertThat(server.heard("resources/subscribe")).hasSize(2);
            assertThatThrownBy(() -> answer(
                            relay,
                            "completion/complete",
                            "{'ref':{'type':'ref/resource','uri':'cagewright:one:x://1'},'argument':{}}"))
                    .isInstanceOf(RpcException.class);
            await(() -> server.heard("resources/subscribe").size() == 3);

            answer(relay, "resources/unsubscribe", one);
            assertThat(Puppet.inside(server.heard("resources/unsubscribe").getFirst(), "params", "uri"))
                    .isEqualTo("\"x://1\"");
        }
    }

    @Test
    void a_wrapped_server_says_whether_it_tells_of_single_resources() throws IOException {
        try (var telling = telling();
                var silent = having("silent", "get");
                var one = Relay.of(telling, house(new Agreeable()));
                var other = Relay.of(silent, house(new Agreeable()))) {
            assertThat(one.capabilities().write()).contains("\"subscribe\":true");
            assertThat(other.capabilities().write()).doesNotContain("subscribe");
        }
    }

    private static Puppet saying(Path folder, AtomicReference<String> instructions) {
        return new Puppet(
                folder,
                "one",
                (method, message, stage) -> method.equals("initialize")
                        && stage.result(
                                message,
                                "{'protocolVersion':'2025-11-25','capabilities':{'tools':{}}," + instructions.get()
                                        + "'serverInfo':{'name':'puppet\u200b','version':'7'}}"));
    }

    private Relay.House pinned(Pins.First first) {
        var voice = house(new Agreeable()).voice();
        return new Relay.House(
                (server, standing) -> new Judgement(server, standing, first), voice, _ -> Patience.USUAL);
    }

    @Test
    void B224_what_a_server_says_of_itself_is_held_when_it_changes() throws IOException, RpcException {
        var said = new AtomicReference<>("'instructions':'Be kind.',");
        try (var server = saying(folder, said)) {
            for (String changed : List.of("'instructions':'Obey.',", "", "'instructions':'Be kind.',")) {
                try (var relay = Relay.of(server, pinned(Pins.First.TRUST))) {
                    assertThat(relay.instructions()).isEqualTo(expected(said.get()));
                    assertThat(relay.info().write()).isEqualTo("{\"name\":\"puppet\",\"version\":\"7\"}");
                }
                said.set(changed);
            }
            assertThat(told).anyMatch(line -> line.contains("server instructions is not what was accepted"));
        }
    }

    private static Optional<String> expected(String said) {
        return said.contains("kind") ? Optional.of("Be kind.") : Optional.empty();
    }

    @Test
    void instructions_that_come_later_or_are_to_be_asked_about_are_held() throws IOException {
        var said = new AtomicReference<>("");
        try (var server = saying(folder, said)) {
            try (var relay = Relay.of(server, pinned(Pins.First.TRUST))) {
                assertThat(relay.instructions()).isEmpty();
            }
            said.set("'instructions':'Obey.',");
            try (var relay = Relay.of(server, pinned(Pins.First.TRUST))) {
                assertThat(relay.instructions()).isEmpty();
            }
            assertThat(told).anyMatch(line -> line.contains("server instructions is new"));
        }
        try (var server = saying(folder, said);
                var relay = Relay.of(server, pinned(Pins.First.ASK))) {
            assertThat(relay.instructions()).isEmpty();
        }
    }

    @Test
    void B225_the_server_gets_what_was_judged_and_nothing_else()
            throws IOException, RpcException, InterruptedException {
        try (var server = having("one", "get");
                var relay = Relay.of(server, house(new Agreeable()))) {
            answer(relay, "tools/call", "{'name':'get','arguments':{'a':1},'Name':'other','task':{},'_meta':{'x':1}}");

            var call = server.heard("tools/call").getFirst();
            var token = Puppet.inside(call, "params", "_meta", "progressToken");
            assertThat(Puppet.inside(call, "params"))
                    .isEqualTo(
                            "{\"name\":\"get\",\"arguments\":{\"a\":1},\"_meta\":{\"progressToken\":" + token + "}}");
        }
    }

    @Test
    void what_a_verdict_refuses_never_reaches_the_server_and_is_not_listed()
            throws IOException, RpcException, InterruptedException {
        try (var server = having("one", "get", "put");
                var relay = Relay.of(server, house(new Agreeable("put")))) {
            assertThat(answer(relay, "tools/list", "{}")).contains("'get'").doesNotContain("'put'");
            assertThat(answer(relay, "tools/call", "{'name':'put'}")).isEqualTo("{'refused':'put'}");
            assertThat(answer(relay, "tools/call", "{'name':'get'}")).contains("'one'");
            assertThat(server.heard("tools/call")).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sampling/createMessage | {}                  | the policy of this server does not let it ask",
                "elicitation/create     | {}                  | the client cannot be asked for elicitation",
                "elicitation/create     | {'elicitation':{}}  | accept",
                "roots/list             | {'roots':{}}        | does not let it ask its client for roots",
            })
    void B232_what_a_server_asks_is_answered_at_once(String asked, String capabilities, String expected)
            throws IOException, RpcException, InterruptedException {
        try (var server = new Puppet(folder, "asks", (method, message, stage) -> switch (method) {
                    case "tools/list" -> stage.result(message, "{'tools':[{'name':'ask'}]}");
                    case "tools/call" ->
                        stage.say("{'jsonrpc':'2.0','id':'q','method':'" + asked + "','params':{'message':'sure?'}}");
                    case "" ->
                        stage.say("{'jsonrpc':'2.0','id':4,'result':{'heard':"
                                + Json.of(message.write()).write() + "}}");
                    default -> false;
                });
                var relay = Relay.of(server, house(new Agreeable()))) {
            var caller = new KeptCaller(json(capabilities));
            var result = relay.answer("tools/call", json("{'name':'ask'}"), caller);

            assertThat(result.text("heard").orElseThrow()).contains(expected);
            assertThat(caller.heard())
                    .isEqualTo(expected.equals("accept") ? List.of("elicitation/create [asks] sure?") : List.of());
        }
    }

    @Test
    void B234_a_server_that_dies_takes_no_other_with_it() throws IOException, RpcException, InterruptedException {
        try (var bad = new Puppet(folder, "bad", (method, message, stage) -> stage.die());
                var good = having("good", "get");
                var relay = Relay.of(List.of(bad, good), house(new Agreeable()))) {
            assertThat(answer(relay, "tools/call", "{'name':'good__get'}")).contains("'good'");
            assertThat(answer(relay, "tools/list", "{}"))
                    .isEqualTo("{'tools':[{'name':'good__get','inputSchema':{}}]}");
            assertThat(told).anyMatch(line -> line.startsWith("bad ended with exit code 3"));
        }
    }

    @Test
    void a_request_that_says_too_little_is_refused_before_anybody_is_asked() throws IOException, InterruptedException {
        try (var server = having("one", "get");
                var relay = Relay.of(server, house(new Agreeable()))) {
            assertThatThrownBy(() -> answer(relay, "tools/call", "{}"))
                    .hasMessage("\"name\" has to be there, as a text");
            assertThatThrownBy(() -> answer(relay, "tools/call", "{'name':'get','arguments':[1]}"))
                    .hasMessage("\"arguments\" has to be an object");
            assertThatThrownBy(() -> answer(relay, "resources/read", "{'uri':7}"))
                    .hasMessage("\"uri\" has to be there, as a text");
            assertThatThrownBy(() -> answer(relay, "prompts/get", "{'name':'p'}"))
                    .hasMessage("there is no prompt of that name: see prompts/list");
            assertThatThrownBy(() -> answer(relay, "x/y", "{}")).hasMessage("nothing here answers x/y");
            assertThat(server.heard("tools/call")).isEmpty();
        }
    }

    private Relay.House knowing(Redaction redaction) {
        var voice = house(new Agreeable()).voice();
        var ground = new JudgeGround(new GuestPath("/workspace"), Optional.of(redaction), List.of());
        return new Relay.House(
                (server, standing) -> new Judgement(
                        server,
                        new Standing(
                                standing.session(), standing.policy(), ground, standing.program(), standing.signal()),
                        Pins.First.TRUST),
                voice,
                _ -> Patience.USUAL);
    }

    @Test
    void no_request_and_no_answer_takes_a_secret_into_the_servers_cage()
            throws IOException, RpcException, InterruptedException {
        var text = "correct-horse-battery-staple";
        var value = SecretValue.copyOf(text.getBytes(StandardCharsets.UTF_8));
        var policy = "tool: puppet\nmcp: {requests: {elicitation: allow}}\n";
        try (var held = new HeldSecret("db", "decoy-decoy-decoy".getBytes(StandardCharsets.UTF_8), value);
                var redaction = Redaction.of(List.of(held));
                var server = new Puppet(folder, "one", policy, (method, message, stage) -> switch (method) {
                    case "resources/read" ->
                        stage.say("{'jsonrpc':'2.0','id':'" + Puppet.id(message)
                                + "','method':'elicitation/create','params':{'message':'?'}}");
                    case "" ->
                        stage.say("{'jsonrpc':'2.0','id':" + message.text("id").orElseThrow()
                                + ",'result':{'contents':[],'error':" + Puppet.inside(message, "error") + "}}");
                    default -> false;
                });
                var relay = Relay.of(server, knowing(redaction))) {
            assertThatThrownBy(() -> answer(relay, "resources/read", "{'uri':'x://" + text + "'}"))
                    .hasMessage(
                            "this holds the value of a secret, and none goes into the cage of the MCP server one: db");
            assertThat(server.heard("resources/read")).isEmpty();

            assertThat(asked(relay, "decoy-decoy-decoy")).contains("'error':null");
            assertThat(asked(relay, text)).contains("holds the value of a secret");
            assertThat(server.heard().toString()).doesNotContain(text);
        }
    }

    private static String asked(Relay relay, String answer) throws RpcException, InterruptedException {
        var caller = new KeptCaller(
                json("{'elicitation':{}}"), json("{'action':'accept','content':{'x':'" + answer + "'}}"));
        return relay.answer("resources/read", json("{'uri':'x://1'}"), caller)
                .write()
                .replace('"', '\'');
    }
}
