package dev.cagewright.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.mcp.guest.KeptCaller;
import dev.cagewright.mcp.guest.Patience;
import dev.cagewright.mcp.guest.Puppet;
import dev.cagewright.mcp.pin.Pins;
import dev.cagewright.mcp.rpc.RpcException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A tool that a person has to agree to, and a client that can ask its person.
@Timeout(60)
class ConsentTest {
    private static final String POLICY = """
            tool: puppet
            mcp: {tools: [{tool: send, approve: true}, look]}
            approval: {timeout: 2s}
            """;

    private static final Voice NOBODY = new Voice() {
        @Override
        public void said(String server, String line) {}

        @Override
        public void told(String server, String clause) {}
    };

    @TempDir
    Path folder;

    private static JsonObject json(String text) {
        try {
            return (JsonObject) Json.parse(text.replace('\'', '"'));
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private Puppet server() {
        return new Puppet(folder, "one", POLICY, (method, message, stage) -> switch (method) {
            case "tools/list" -> stage.result(message, "{'tools':[{'name':'send'},{'name':'look'}]}");
            case "tools/call" -> stage.result(message, "{'content':[{'type':'text','text':'sent'}]}");
            default -> false;
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "send | {'elicitation':{}} | {'action':'accept','content':{'approve':true}}  | sent   | 1",
                "send | {'elicitation':{}} | {'action':'accept','content':{'approve':false}} | denied | 1",
                "send | {'elicitation':{}} | {'action':'accept','content':{}}                | denied | 1",
                "send | {'elicitation':{}} | {'action':'decline'}                            | denied | 1",
                "send | {}                 | {'action':'accept','content':{'approve':true}}  | denied | 0",
                "look | {'elicitation':{}} | {'action':'decline'}                            | sent   | 0",
            })
    void a_call_that_needs_approval_is_asked_of_the_client_whose_call_it_is(
            String tool, String capabilities, String answer, String expected, int asked)
            throws IOException, RpcException, InterruptedException {
        var house = new Relay.House(
                (server, standing) -> new Judgement(server, standing, Pins.First.TRUST), NOBODY, _ -> Patience.USUAL);
        try (var server = server();
                var relay = Relay.of(server, house)) {
            var caller = new KeptCaller(json(capabilities), json(answer));
            var result = relay.answer("tools/call", json("{'name':'" + tool + "','arguments':{'to':'ann'}}"), caller);

            assertThat(result.write()).contains(expected);
            assertThat(server.heard("tools/call")).hasSize(expected.equals("sent") ? 1 : 0);
            assertThat(caller.heard())
                    .hasSize(asked)
                    .allSatisfy(question -> assertThat(question)
                            .startsWith("elicitation/create Cagewright asks: may cage ")
                            .contains("one send", "sha256 "));
        }
    }
}
