package dev.cagewright.mcp.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.door.EchoOffer;
import dev.cagewright.mcp.offer.Offer.Change;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ErasTest {
    private static final String ASKING = "{\"elicitation\":{}}";

    private final EchoOffer offer = new EchoOffer();

    private static String written(JsonObject answer, String member) {
        return answer.member(member).orElseThrow().write();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            2024-11-05 | -           | title, outputSchema, annotations, icons
            2025-03-26 | annotations | title, outputSchema, icons
            2025-06-18 | outputSchema | icons
            2025-11-25 | icons        | -
            """)
    void a_tool_is_described_in_what_the_version_knows(String version, String there, String left) throws Exception {
        try (var client = new PipedClient(offer)) {
            client.open(version, "{}");
            var tools = client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}")
                    .write();

            assertThat(tools).contains("\"name\":\"echo\"", "\"inputSchema\"");
            if (there != null) {
                assertThat(tools).contains("\"" + there + "\"");
            }
            if (left != null) {
                assertThat(tools).doesNotContain(left.split(", ", -1));
            }
        }
    }

    @Test
    void content_that_a_version_does_not_know_is_said_in_words() throws Exception {
        try (var client = new PipedClient(offer)) {
            client.open("2024-11-05", "{}");
            assertThat(written(client.ask(PipedClient.call(1, "rich", "{}")), "result"))
                    .isEqualTo(
                            "{\"content\":[{\"type\":\"text\",\"text\":\"[audio of type audio/wav, which this version of the"
                                    + " protocol cannot carry]\"},{\"type\":\"text\",\"text\":\"test://link\"}]}");
        }
        try (var client = new PipedClient(offer)) {
            client.open("2025-06-18", "{}");
            assertThat(written(client.ask(PipedClient.call(1, "rich", "{}")), "result"))
                    .contains("\"audio\"", "\"resource_link\"", "\"structuredContent\":{\"n\":1}");
        }
    }

    @Test
    void what_a_server_says_of_itself_is_what_the_version_knows() throws Exception {
        try (var client = new PipedClient(offer)) {
            assertThat(written(client.open("2024-11-05", "{}"), "result"))
                    .contains("\"name\":\"echo\"", "\"logging\"", "\"instructions\":\"Say it twice.\"")
                    .doesNotContain("title", "websiteUrl", "completions");
        }
        try (var client = new PipedClient(offer)) {
            assertThat(written(client.open("2025-11-25", "{}"), "result"))
                    .contains("title", "websiteUrl", "completions");
        }
    }

    @Test
    void one_version_has_batches_and_answers_them_as_one() throws Exception {
        var batch =
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"},"
                        + PipedClient.call(2, "echo", "{}") + ",7]";
        try (var client = new PipedClient(offer)) {
            client.open("2025-03-26", "{}");
            client.say(batch);

            assertThat(client.next())
                    .isInstanceOfSatisfying(
                            JsonArray.class,
                            answers -> assertThat(answers.items())
                                    .hasSize(3)
                                    .anySatisfy(one -> assertThat(one.write()).contains("\"id\":2,\"result\""))
                                    .anySatisfy(one -> assertThat(one.write()).contains("\"id\":null,\"error\"")));
        }
        for (String version : new String[] {"2024-11-05", "2025-06-18", "2025-11-25"}) {
            try (var client = new PipedClient(offer)) {
                client.open(version, "{}");
                assertThat(client.ask(batch).write()).contains("\"id\":null", "-32600", "no batch here");
            }
        }
    }

    @Test
    void a_batch_of_which_one_is_taken_back_is_answered_without_it() throws Exception {
        try (var client = new PipedClient(offer)) {
            client.open("2025-03-26", "{}");
            client.say("[" + PipedClient.call(1, "hold", "{}") + "," + PipedClient.call(2, "echo", "{}") + "]");
            offer.held.take();
            client.say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");

            assertThat(client.next())
                    .isInstanceOfSatisfying(
                            JsonArray.class,
                            answers -> assertThat(answers.items())
                                    .singleElement()
                                    .satisfies(one -> assertThat(one.write()).contains("\"id\":2")));
        }
    }

    @Test
    void requests_before_the_opening_and_a_second_opening_are_refused() throws Exception {
        try (var client = new PipedClient(offer)) {
            assertThat(client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}")
                            .write())
                    .contains("-32602", "open with \\\"initialize\\\" (up to 2025-11-25)");
            client.open("2025-11-25", "{}");
            assertThat(client.open("2025-11-25", "{}").write()).contains("-32600", "this session is open already");
            assertThat(client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\"}")
                            .write())
                    .contains("-32601");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"initialize", "ping", "logging/setLevel", "resources/subscribe", "tasks/get"})
    void what_only_sessions_have_is_not_there_without_one(String method) throws Exception {
        try (var client = new PipedClient(offer)) {
            assertThat(client.ask(PipedClient.modern(1, method, "{}", "")).write())
                    .contains("\"id\":1", "-32601", "there is no method \\\"" + method + "\\\" here");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "2026-07-28"              | {"protocolVersion":"2025-11-25"} | -32022
            "2026-07-28"              | {"protocolVersion":"v999"}       | -32022
            "clientCapabilities":{}   | {"clientCapabilities":[]}        | -32602
            "2026-07-28"              | {"protocolVersion":7}            | -32602
            """)
    void a_request_that_says_too_little_of_itself_is_refused(String told, String instead, int code) throws Exception {
        var request = PipedClient.modern(1, "tools/list", "{}", "")
                .replace(told.contains("clientCap") ? "clientCapabilities\":{}" : told, value(instead));
        try (var client = new PipedClient(offer)) {
            assertThat(client.ask(request).write()).contains("\"id\":1", String.valueOf(code));
        }
    }

    private static String value(String object) {
        return object.contains("clientCap")
                ? "clientCapabilities\":[]"
                : object.replaceAll("\\{\"protocolVersion\":(.*)}", "$1");
    }

    @Test
    void progress_is_told_by_the_clients_token_and_only_rises() throws Exception {
        try (var client = new PipedClient(offer)) {
            client.open("2025-11-25", "{}");
            client.say(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"steps\",\"_meta\":{\"progressToken\":0}}}");

            for (String step : new String[] {"1", "2", "3", "3.5"}) {
                assertThat(client.next().write()).contains("\"progressToken\":0,\"progress\":" + step);
            }
            assertThat(client.nextObject().member("result")).isPresent();
            assertThat(client.ask(PipedClient.call(2, "steps", "{}")).member("result"))
                    .isPresent();
        }
    }

    @Test
    void lines_of_log_come_from_the_level_on_that_a_client_sets() throws Exception {
        try (var client = new PipedClient(offer)) {
            client.open("2025-11-25", "{}");
            assertThat(client.ask(
                                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"loud\"}}")
                            .write())
                    .contains("-32602", "\\\"level\\\" is one of debug, info, notice");
            client.ask(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"error\"}}");
            assertThat(client.ask(PipedClient.call(2, "lines", "{}")).write())
                    .contains("notifications/message", "\"level\":\"error\"", "a fault");
            assertThat(client.nextObject().member("result")).isPresent();
        }
        try (var client = new PipedClient(offer)) {
            assertThat(client.ask(PipedClient.modern(1, "tools/call", "{}", "\"name\":\"lines\""))
                            .member("result"))
                    .isPresent();
            var wanting = PipedClient.modern(2, "tools/call", "{}", "\"name\":\"lines\"")
                    .replace("\"_meta\":{", "\"_meta\":{\"io.modelcontextprotocol/logLevel\":\"error\",");
            assertThat(client.ask(wanting).write()).contains("a fault");
        }
    }

    @Test
    void a_session_is_asked_by_a_request_and_its_answer_goes_to_the_call() throws Exception {
        try (var client = new PipedClient(offer)) {
            client.open("2025-06-18", ASKING);
            client.say(PipedClient.call(1, "ask", "{}"));
            var question = client.nextObject();
            assertThat(question.text("method")).contains("elicitation/create");
            client.say("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"action\":\"decline\"}}"
                    .formatted(written(question, "id")));

            assertThat(client.answerTo(1).write()).contains("decline");
        }
    }

    @ParameterizedTest
    @CsvSource({"2025-06-18,{}", "2025-03-26,'{\"elicitation\":{}}'"})
    void B232_a_client_that_cannot_be_asked_is_not_waited_for(String version, String capabilities) throws Exception {
        try (var client = new PipedClient(offer)) {
            client.open(version, capabilities);
            assertThat(client.ask(PipedClient.call(1, "ask", "{}")).write()).contains("nobody");
        }
        try (var client = new PipedClient(offer)) {
            assertThat(client.ask(PipedClient.modern(1, "tools/call", "{}", "\"name\":\"ask\""))
                            .write())
                    .contains("nobody");
        }
    }

    @Test
    void B227_an_answer_of_no_form_fails_what_waits_for_it() throws Exception {
        for (String bad : new String[] {
            "\"result\":{},\"error\":{\"code\":1,\"message\":\"m\"}", "\"result\":7", "\"error\":{\"code\":1}"
        }) {
            try (var client = new PipedClient(offer)) {
                client.open("2025-06-18", ASKING);
                client.say(PipedClient.call(1, "ask", "{}"));
                client.say("{\"jsonrpc\":\"2.0\",\"id\":%s,%s}".formatted(written(client.nextObject(), "id"), bad));

                assertThat(client.answerTo(1).write()).as(bad).contains("nobody");
            }
        }
    }

    @Test
    void without_a_session_the_answer_is_that_input_is_required_and_the_call_goes_on_when_it_comes() throws Exception {
        try (var client = new PipedClient(offer)) {
            var asked = client.ask(PipedClient.modern(1, "tools/call", ASKING, "\"name\":\"ask\""));
            var required = (JsonObject) asked.member("result").orElseThrow();
            assertThat(required.text("resultType")).contains("input_required");
            assertThat(required.write()).contains("\"method\":\"elicitation/create\"", "\"message\":\"Who?\"");
            var state = required.text("requestState").orElseThrow();
            var again = """
                    "name":"%s","inputResponses":{"question":{"action":"accept","content":{}}},"requestState":"%s\"""";

            assertThat(client.ask(PipedClient.modern(2, "tools/call", ASKING, again.formatted("ask", state + "x")))
                            .write())
                    .contains("-32602", "requestState is none that waits for this request: ask anew");
            assertThat(client.ask(PipedClient.modern(2, "tools/call", ASKING, again.formatted("echo", state)))
                            .write())
                    .contains("-32602");
            assertThat(client.ask(PipedClient.modern(3, "tools/call", ASKING, again.formatted("ask", state)))
                            .write())
                    .contains("\"id\":3", "accept", "\"resultType\":\"complete\"");
            assertThat(client.ask(PipedClient.modern(4, "tools/call", ASKING, again.formatted("ask", state)))
                            .write())
                    .contains("-32602");
        }
    }

    @Test
    void a_session_is_told_of_changes_that_the_server_offers_to_tell() throws Exception {
        try (var client = new PipedClient(offer)) {
            client.open("2025-11-25", "{}");
            client.ask(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"a:b\"}}");
            offer.tell(Change.Lists.PROMPTS);
            offer.tell(new Change.Resource("a:c"));
            offer.tell(Change.Lists.TOOLS);
            offer.tell(new Change.Resource("a:b"));

            assertThat(client.next().write()).contains("notifications/tools/list_changed");
            assertThat(client.next().write()).contains("notifications/resources/updated", "\"uri\":\"a:b\"");
            client.hangUp();
            assertThat(client.rest()).isEmpty();
            assertThat(offer.listening()).isZero();
        }
    }

    @Test
    void a_listener_without_a_session_is_told_what_it_asked_for_until_it_takes_that_back() throws Exception {
        try (var client = new PipedClient(offer)) {
            var told = client.ask(PipedClient.modern(
                    9,
                    "subscriptions/listen",
                    "{}",
                    "\"notifications\":{\"toolsListChanged\":true,\"promptsListChanged\":true}"));
            assertThat(told.write())
                    .contains("notifications/subscriptions/acknowledged", "\"toolsListChanged\":true")
                    .contains("\"io.modelcontextprotocol/subscriptionId\":9")
                    .doesNotContain("promptsListChanged");
            offer.tell(Change.Lists.PROMPTS);
            offer.tell(Change.Lists.TOOLS);
            assertThat(client.next().write())
                    .contains("notifications/tools/list_changed", "\"io.modelcontextprotocol/subscriptionId\":9");

            client.say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":9}}");
            client.ask(PipedClient.modern(10, "server/discover", "{}", ""));
            assertThat(offer.listening()).isZero();
        }
    }

    @Test
    void what_accompanies_a_request_for_the_protocol_alone_does_not_reach_the_offer() throws Exception {
        try (var client = new PipedClient(offer)) {
            assertThat(client.ask(PipedClient.modern(1, "params", "{}", "\"a\":1")
                                    .replace("\"_meta\":{", "\"_meta\":{\"progressToken\":1,\"test/own\":true,"))
                            .write())
                    .contains("\"params\":{\"_meta\":{\"test/own\":true},\"a\":1}");
        }
    }
}
