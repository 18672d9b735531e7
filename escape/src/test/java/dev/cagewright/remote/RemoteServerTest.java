package dev.cagewright.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A client starts the packaged product in the place of a server that is elsewhere.
@Timeout(180)
class RemoteServerTest {
    private static final Path PRODUCT =
            Path.of("..", "cagewright").toAbsolutePath().normalize();
    private static final String VALUE = "far_REALvalue0123456789abcdefghijklm0123";

    @TempDir
    private Path folder;

    private final FarServer server;

    RemoteServerTest() throws IOException, GeneralSecurityException {
        server = new FarServer();
    }

    @BeforeEach
    void open() throws IOException, GeneralSecurityException {
        Files.createDirectories(folder.resolve("workspace"));
        Files.createDirectories(folder.resolve("config/cagewright/policies"));
        policy("mcp-far", "mcp.test");
        policy("mcp-other", "other.test");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void policy(String name, String host) throws IOException, GeneralSecurityException {
        Files.writeString(folder.resolve("config/cagewright/policies/" + name + ".yaml"), """
                tool: %s
                net: {hosts: [{host: %s, port: %d, methods: [POST], paths: [/mcp], addresses: [127.0.0.1], upstream_ca: "%s"}]}
                credentials: [{name: FAR_TOKEN, use_with: [mcp.test], in: [header]}]
                mcp: {tools: [say]}
                """.formatted(
                        name, host, server.port(), server.roots(folder)));
    }

    /// What the product says and answers.
    private record Ran(int exit, List<JsonObject> answers, String said) {
        /// The answers, as JSON.
        String told() {
            return answers.stream().map(JsonObject::write).collect(Collectors.joining("\n"));
        }

        String all() {
            return told() + said;
        }
    }

    /// Runs `cagewright` with messages as its input, with `'` for `"`.
    private Ran run(List<String> words, Map<String, String> more, String... messages)
            throws IOException, InterruptedException, JsonSyntaxException {
        var all = new ArrayList<>(List.of(PRODUCT.toString()));
        all.addAll(words);
        var errors = Files.createTempFile(folder, "said", ".err");
        var builder = new ProcessBuilder(all)
                .directory(folder.resolve("workspace").toFile())
                .redirectError(errors.toFile());
        var variables = new HashMap<>(Map.of(
                "XDG_STATE_HOME", folder.resolve("state").toString(),
                "XDG_CONFIG_HOME", folder.resolve("config").toString()));
        variables.putAll(more);
        builder.environment().putAll(variables);
        var process = builder.start();
        var answers = new ArrayList<JsonObject>();
        var in = process.outputWriter(StandardCharsets.UTF_8);
        try (var out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String message : messages) {
                in.write(message.replace('\'', '"') + "\n");
            }
            in.flush();
            if (messages.length == 0) {
                in.close();
            }
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith("{")) {
                    answers.add((JsonObject) Json.parse(line));
                }
                if (line.contains("\"id\":3,")) {
                    in.close();
                }
            }
        }
        int exit = process.waitFor();
        return new Ran(exit, answers, Files.readString(errors));
    }

    private void store() throws IOException, InterruptedException, JsonSyntaxException {
        var file = Files.writeString(folder.resolve("key.txt"), VALUE + "\n");
        var stored = run(List.of("secret", "set", "FAR_TOKEN", "--from-file", file.toString()), Map.of());
        assertThat(stored.exit()).as(stored.said()).isZero();
        Files.delete(file);
    }

    private static String[] call(String tool) {
        return new String[] {
            "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'2025-11-25','capabilities':{},"
                    + "'clientInfo':{'name':'test','version':'1'}}}",
            "{'jsonrpc':'2.0','method':'notifications/initialized'}",
            "{'jsonrpc':'2.0','id':2,'method':'tools/list'}",
            "{'jsonrpc':'2.0','id':3,'method':'tools/call','params':{'name':'" + tool + "','arguments':{}}}"
        };
    }

    private String kept() throws IOException {
        var all = new StringBuilder();
        try (var files = Files.walk(folder.resolve("state"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return all.toString();
    }

    @Test
    void I2_a_header_names_a_secret_whose_value_the_server_alone_sees()
            throws IOException, InterruptedException, JsonSyntaxException {
        store();
        var ran = run(
                List.of(
                        "mcp",
                        "wrap",
                        "--policy",
                        "mcp-far",
                        "--url",
                        server.url(),
                        "--header",
                        "Authorization: Bearer ${FAR_TOKEN}"),
                Map.of(),
                call("say"));

        assertThat(ran.exit()).as(ran.all()).isZero();
        assertThat(ran.told()).as(ran.said()).contains("\"name\":\"say\"", "you are Bearer ");
        assertThat(server.shown).isNotEmpty().containsOnly("Bearer " + VALUE);
        assertThat(ran.all()).doesNotContain(VALUE);
        assertThat(kept()).doesNotContain(VALUE).contains("http.request", "mcp.call", "secret.lent");
    }

    @Test
    void a_server_that_the_policy_does_not_name_is_not_asked()
            throws IOException, InterruptedException, JsonSyntaxException {
        store();
        var ran = run(
                List.of("mcp", "wrap", "--policy", "mcp-other", "--url", server.url(), "--header", "Authorization: x"),
                Map.of(),
                call("say"));

        assertThat(server.shown).isEmpty();
        assertThat(ran.all()).contains("is not let be asked: http.request POST mcp.test:", "what would allow it");
        assertThat(kept()).contains("http.request");
    }

    @Test
    void a_file_of_servers_is_served_and_imported_with_those_elsewhere()
            throws IOException, InterruptedException, JsonSyntaxException {
        store();
        var file = Files.writeString(
                folder.resolve("workspace/.mcp.json"),
                "{\"mcpServers\": {\"far\": {\"type\": \"http\", \"url\": \"https://${FAR_HOST:-mcp.test}:"
                        + server.port()
                        + "/mcp\", \"headers\": {\"Authorization\": \"Bearer ${FAR_TOKEN}\", \"X-Plain\": \"plain-value\"}}}}");

        var served = run(List.of("mcp", "gateway"), Map.of(), call("far__say"));
        assertThat(served.told()).as(served.said()).contains("\"name\":\"far__say\"", "you are Bearer ");
        assertThat(server.shown).isNotEmpty().containsOnly("Bearer " + VALUE);

        var imported = run(List.of("mcp", "import", "--write"), Map.of());
        assertThat(imported.exit()).as(imported.said()).isZero();
        var root = (JsonObject) Json.parse(Files.readString(file).getBytes(StandardCharsets.UTF_8));
        assertThat(root.write())
                .contains("\"--header\",\"Authorization: Bearer %{FAR_TOKEN}\"")
                .contains("\"--header\",\"X-Plain: %{CAGEWRIGHT_HEADER_2}\"")
                .contains("\"env\":{\"CAGEWRIGHT_HEADER_2\":\"plain-value\"}");
        var again = run(List.of("mcp", "gateway"), Map.of(), call("far__say"));
        assertThat(again.told()).as(again.said()).contains("you are Bearer ");

        var lacking = run(
                List.of("mcp", "wrap", "--policy", "mcp-far", "--url", server.url(), "--header", "X: ${NOBODY_HAS}"),
                Map.of(),
                call("say"));
        assertThat(lacking.all()).contains("--header X: ${NOBODY_HAS} has no value");
    }
}
