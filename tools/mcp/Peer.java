import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Drives a server with the official Java SDK: `stdio PROGRAM ARGUMENT...`, or `http URL TOKEN`. The server has the
/// tools of
/// the conformance suite; behind a gateway it is the one that MCP_SERVER names. Prints one line of JSON: what the
/// client saw.
class Peer {
    public static void main(String[] words) {
        McpClientTransport transport = words[0].equals("stdio")
                ? new StdioClientTransport(
                        ServerParameters.builder(words[1])
                                .args(List.of(words).subList(2, words.length))
                                .build(),
                        McpJsonDefaults.getMapper())
                : HttpClientStreamableHttpTransport.builder(words[1].replaceAll("/mcp$", ""))
                        .endpoint("/mcp")
                        .requestBuilder(HttpRequest.newBuilder().header("Authorization", "Bearer " + words[2]))
                        .build();
        try (var client = McpClient.sync(transport)
                .requestTimeout(Duration.ofSeconds(60))
                .capabilities(
                        McpSchema.ClientCapabilities.builder().elicitation().build())
                .elicitation(_ -> new McpSchema.ElicitResult(
                        McpSchema.ElicitResult.Action.ACCEPT, Map.of("username", "Ann", "email", "ann@example.test")))
                .build()) {
            var version = client.initialize().protocolVersion();
            var tools = client.listTools().tools().size();
            var said = text(client, "test_simple_text", Map.of());
            var asked = text(client, "test_elicitation", Map.of("message", "Who?"));
            System.out.println("{\"version\":\"%s\",\"tools\":%d,\"said\":\"%s\",\"asked\":\"%s\",\"after\":%d}"
                    .formatted(
                            version,
                            tools,
                            said,
                            asked.replace("\"", "'"),
                            client.listPrompts().prompts().size()));
        }
    }

    private static String called(String tool) {
        var server = System.getenv("MCP_SERVER");
        return server == null ? tool : server + "__" + tool;
    }

    private static String text(
            io.modelcontextprotocol.client.McpSyncClient client, String tool, Map<String, Object> with) {
        var result = client.callTool(
                McpSchema.CallToolRequest.builder().name(called(tool)).arguments(with).build());
        return ((McpSchema.TextContent) result.content().getFirst()).text();
    }
}
