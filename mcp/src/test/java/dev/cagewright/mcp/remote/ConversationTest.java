package dev.cagewright.mcp.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.egress.here.HostRequest.Header;
import dev.cagewright.mcp.protocol.Meta;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.RpcId;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConversationTest {
    private final Conversation conversation = new Conversation(List.of(new Header("X-Own", "1")));

    private static JsonObject json(String text) {
        try {
            return (JsonObject) Json.parse(text.replace('\'', '"'));
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private List<String> headers(String method, String params) {
        var whole = Meta.with(json(params), Meta.VERSION, new JsonString("2026-07-28"));
        return conversation.of(new Message.Request(new RpcId.Whole(1), method, whole)).stream()
                .map(header -> header.name() + ": " + header.value())
                .toList();
    }

    @Test
    void a_message_that_stands_for_itself_says_so_in_its_head() {
        assertThat(headers("tools/call", "{'name':'x'}"))
                .containsExactly(
                        "X-Own: 1",
                        "MCP-Protocol-Version: 2026-07-28",
                        "Mcp-Method: tools/call",
                        "Mcp-Name: x",
                        "Content-Type: application/json",
                        "Accept: application/json, text/event-stream");
        assertThat(headers("resources/read", "{'uri':'a:b'}")).contains("Mcp-Name: a:b");
        assertThat(headers("tools/list", "{}")).noneMatch(header -> header.startsWith("Mcp-Name"));
    }

    @Test
    void what_a_head_cannot_carry_goes_encoded() {
        assertThat(headers("tools/call", "{'name':'ü'}")).contains("Mcp-Name: =?base64?w7w=?=");
        assertThat(headers("tools/call", "{'name':'a\\r\\nX: 1'}")).contains("Mcp-Name: =?base64?YQ0KWDogMQ==?=");
        assertThat(headers("tools/call", "{'name':' a'}")).contains("Mcp-Name: =?base64?IGE=?=");
        assertThat(headers("tools/call", "{'name':'=?base64?YQ==?='}"))
                .contains("Mcp-Name: =?base64?PT9iYXNlNjQ/WVE9PT89?=");
    }

    @Test
    void arguments_that_a_tool_wants_in_the_head_are_there() {
        var sifted = conversation.parameters().sift(json("""
                {'tools':[{'name':'q','inputSchema':{'properties':{
                  'region':{'type':'string','x-mcp-header':'Region'},
                  'count':{'type':'integer','x-mcp-header':'Count'},
                  'other':{'type':'string'}}}}]}"""));

        assertThat(sifted.left()).isEmpty();
        assertThat(headers("tools/call", "{'name':'q','arguments':{'region':'eu','count':3,'other':'z'}}"))
                .contains("Mcp-Param-Region: eu", "Mcp-Param-Count: 3")
                .noneMatch(header -> header.endsWith(": z"));
        assertThat(headers("tools/call", "{'name':'q','arguments':{'region':null}}"))
                .noneMatch(header -> header.startsWith("Mcp-Param"));
    }

    @Test
    void a_tool_whose_marks_cannot_be_followed_is_left_out() {
        var sifted = conversation.parameters().sift(json("""
                {'tools':[
                  {'name':'empty','inputSchema':{'properties':{'a':{'type':'string','x-mcp-header':''}}}},
                  {'name':'blank','inputSchema':{'properties':{'a':{'type':'string','x-mcp-header':'A B'}}}},
                  {'name':'list','inputSchema':{'properties':{'a':{'type':'array','x-mcp-header':'A'}}}},
                  {'name':'twice','inputSchema':{'properties':{'a':{'type':'string','x-mcp-header':'A'},
                    'b':{'type':'string','x-mcp-header':'a'}}}},
                  {'name':'good'}], 'nextCursor':'n'}"""));

        assertThat(sifted.left()).containsExactly("empty", "blank", "list", "twice");
        assertThat(sifted.result().write()).isEqualTo("{\"tools\":[{\"name\":\"good\"}],\"nextCursor\":\"n\"}");
    }
}
