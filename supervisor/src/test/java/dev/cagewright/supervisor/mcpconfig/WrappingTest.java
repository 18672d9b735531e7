package dev.cagewright.supervisor.mcpconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.CompiledPolicy;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files of MCP servers, what of them would be started, and the same in cages.
class WrappingTest {
    private static final StartingPolicy USUAL = new StartingPolicy(List.of(), StartingPolicy.Registries.NONE);

    /// Tabs, order, blanks and other members as people have them.
    private static final String FILE = """
            {
            \t"$schema": "x",
              "mcpServers": {
                "files": { "args": ["-y", "@scope/server-filesystem", "/a b", "\\u00e9\\"{"],"command" : "npx", "env":{"LANG":"C","API_TOKEN":"quite-private"} },
                "plain": {"command": "/usr/bin/server"},
                "far":   {"type": "http", "url": "https://mcp.example.com/mcp?x=command"},
                "caged": {"command": "/usr/bin/cagewright", "args": ["run", "--", "x"]},
                "odd":   {"command": ["npx"]},
                "команда": {"command": "s", "args": []}
              },
              "other" : [ 1,2 , {"command":"npx"} ]
            }
            """;

    @TempDir
    private Path folder;

    private ServerFile file(String text) throws IOException {
        return ServerFile.read(Files.writeString(folder.resolve(".mcp.json"), text));
    }

    @Test
    void only_what_starts_a_server_changes_and_all_the_rest_stays_byte_for_byte() throws IOException {
        var text = new Wrapping(file(FILE), USUAL).text();

        assertThat(text)
                .isEqualTo(FILE.replace(
                                "[\"-y\", \"@scope/server-filesystem\", \"/a b\", \"\\u00e9\\\"{\"],\"command\" : \"npx\"",
                                "[\"mcp\",\"wrap\",\"--policy\",\"mcp-files\",\"--\",\"npx\",\"-y\","
                                        + "\"@scope/server-filesystem\",\"/a b\",\"é\\\"{\"],\"command\" : \"cagewright\"")
                        .replace(
                                "{\"command\": \"/usr/bin/server\"}",
                                "{\"command\": \"cagewright\", \"args\": [\"mcp\",\"wrap\",\"--policy\",\"mcp-plain\","
                                        + "\"--\",\"/usr/bin/server\"]}")
                        .replace(
                                "{\"type\": \"http\", \"url\": \"https://mcp.example.com/mcp?x=command\"}",
                                "{\"type\":\"stdio\",\"command\":\"cagewright\",\"args\":[\"mcp\",\"wrap\",\"--policy\","
                                        + "\"mcp-far\",\"--url\",\"https://mcp.example.com/mcp?x=command\"]}")
                        .replace(
                                "{\"command\": \"s\", \"args\": []}",
                                "{\"command\": \"cagewright\", \"args\": [\"mcp\",\"wrap\",\"--policy\",\"mcp--------\","
                                        + "\"--\",\"s\"]}"));
    }

    @Test
    void what_is_wrapped_once_is_not_wrapped_again() throws IOException {
        var wrapping = new Wrapping(file(FILE), USUAL);
        Files.setPosixFilePermissions(folder.resolve(".mcp.json"), PosixFilePermissions.fromString("rw-r-----"));
        wrapping.write();

        var again = ServerFile.read(folder.resolve(".mcp.json"));
        assertThat(again.bare()).isEmpty();
        assertThat(again.text()).isEqualTo(wrapping.text());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(".mcp.json"))))
                .isEqualTo("rw-r-----");
        try (var left = Files.list(folder)) {
            assertThat(left).hasSize(1);
        }
    }

    @Test
    void servers_elsewhere_and_odd_entries_are_told_apart() throws IOException {
        var servers = file(FILE).servers();

        assertThat(servers)
                .contains(
                        new Server.Remote("far", "https://mcp.example.com/mcp?x=command", Map.of()),
                        new Server.Odd("odd", "has neither a command as a text nor an address, or has both"));
        assertThat(servers).hasSize(6);
        assertThat(file("{\"servers\": {\"x\": {\"command\": \"a\"}}}").bare()).hasSize(1);
        assertThat(file("{\"mcpServers\": {\"g\": {\"httpUrl\": \"https://h.test:8443/m\"}}}")
                        .servers())
                .containsExactly(new Server.Remote("g", "https://h.test:8443/m", Map.of()))
                .extracting(server -> ((Server.Remote) server).host())
                .containsExactly("h.test:8443");
        assertThat(file("{\"mcpServers\": {\"s\": {\"type\": \"sse\", \"url\": \"https://h.test/sse\"},"
                                + " \"h\": {\"url\": \"https://h.test/\", \"headers\": {\"A\": 1}}}}")
                        .servers())
                .extracting(server -> ((Server.Odd) server).why())
                .satisfiesExactly(
                        why -> assertThat(why).contains("HTTP+SSE", "is not spoken here"),
                        why -> assertThat(why).isEqualTo("headers is no object of texts"));
    }

    @Test
    void a_server_elsewhere_is_wrapped_with_its_headers_and_no_value_among_the_words() throws IOException {
        var wrapping = new Wrapping(
                file("{\"mcpServers\": {\"far\": {\"url\": \"https://mcp.example.com/v1/mcp\", \"timeout\": 7,"
                        + " \"headers\": {\"Authorization\": \"Bearer ${TOKEN}\", \"X-Key\": \"quite-private\"}}}}"),
                USUAL);

        var one = wrapping.wrapped().getFirst();
        assertThat(one.words())
                .containsExactly(
                        "cagewright",
                        "mcp",
                        "wrap",
                        "--policy",
                        "mcp-far",
                        "--url",
                        "https://mcp.example.com/v1/mcp",
                        "--header",
                        "Authorization: Bearer %{TOKEN}",
                        "--header",
                        "X-Key: %{CAGEWRIGHT_HEADER_2}");
        assertThat(wrapping.text())
                .contains("\"timeout\":7", "\"env\":{\"CAGEWRIGHT_HEADER_2\":\"quite-private\"}")
                .doesNotContain("\"url\":", "\"headers\":");
        var policy = compiled(wrapping.policyOf(one));
        assertThat(policy.judge(post("mcp.example.com", "/v1/mcp"))).isInstanceOf(Decision.Allow.class);
        assertThat(policy.judge(post("mcp.example.com", "/v1/other"))).isInstanceOf(Decision.Deny.class);
        assertThat(policy.judge(post("evil.test", "/v1/mcp"))).isInstanceOf(Decision.Deny.class);
        assertThat(wrapping.policyOf(one)).doesNotContain("quite-private");
    }

    @Test
    void variables_have_values_defaults_or_a_message() {
        var variables = new Variables(name -> name.equals("A") ? Optional.of("a$1") : Optional.empty());

        assertThat(variables.in("x", "${A} %{A} ${B:-b} %{B:-} $A ${} ${A")).isEqualTo("a$1 a$1 b  $A ${} ${A");
        assertThatThrownBy(() -> variables.in("server s: args", "${C}"))
                .hasMessageStartingWith("server s: args: ${C} has no value");
    }

    private static Action post(String host, String path) {
        return new Action.HttpRequest("POST", new HostName(host), 443, path);
    }

    @Test
    void the_policy_to_begin_with_reads_the_workspace_and_reaches_nobody() throws IOException {
        var wrapping = new Wrapping(file(FILE), USUAL);
        var policy = compiled(wrapping.policyOf(wrapping.wrapped().getFirst()));

        assertThat(policy.judge(new Action.FsRead(GuestPath.canonical("/workspace/a"))))
                .isInstanceOf(Decision.Allow.class);
        assertThat(policy.judge(new Action.FsWrite(GuestPath.canonical("/workspace/a"))))
                .isInstanceOf(Decision.Deny.class);
        assertThat(policy.judge(get("api.test"))).isInstanceOf(Decision.Deny.class);

        var asked = new Wrapping(file(FILE), new StartingPolicy(List.of("api.test"), StartingPolicy.Registries.OWN));
        var text = asked.policyOf(asked.wrapped().getFirst());
        assertThat(compiled(text).judge(get("api.test"))).isInstanceOf(Decision.Allow.class);
        assertThat(compiled(text).judge(get("evil.test"))).isInstanceOf(Decision.Deny.class);
        assertThat(text).contains("registries: [npm]").doesNotContain("quite-private");
        assertThatThrownBy(() -> new StartingPolicy(List.of("https://x/"), StartingPolicy.Registries.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--allow: ");
    }

    private static Action get(String host) {
        return new Action.HttpRequest("GET", new HostName(host), 443, "/");
    }

    private static CompiledPolicy compiled(String text) {
        try {
            return CompiledPolicy.compile(PolicyFiles.read("made", text));
        } catch (PolicySyntaxException | BadPolicyException e) {
            throw new AssertionError(text, e);
        }
    }

    @Test
    void two_names_that_look_the_same_to_a_policy_get_policies_of_their_own() throws IOException {
        var wrapping = new Wrapping(
                file("{\"mcpServers\": {\"a/b\": {\"command\": \"x\"}, \"a b\": {\"command\": \"y\"}, \""
                        + "n".repeat(300) + "\": {\"command\": \"z\"}}}"),
                USUAL);

        assertThat(wrapping.wrapped())
                .extracting(Wrapping.Wrapped::policy)
                .containsExactly("mcp-a-b", "mcp-a-b-2", "mcp-" + "n".repeat(50));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"mcpServers\": []}",
                "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}} x",
                "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"command\": \"y\"}}}",
                "{\"mcpServers\": {} // c\n}"
            })
    void what_is_no_such_file_is_one_clean_error(String text) {
        assertThatThrownBy(() -> file(text))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(folder.resolve(".mcp.json") + ": ");
    }

    @Test
    void bombs_links_and_pipes_are_refused() throws IOException {
        assertThatThrownBy(() -> file("{\"mcpServers\": " + "[".repeat(200_000)))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> file("{\"mcpServers\": {}}" + " ".repeat(1 << 20)))
                .hasMessageContaining("too many");
        Files.delete(folder.resolve(".mcp.json"));
        Files.createSymbolicLink(folder.resolve(".mcp.json"), Path.of("/etc/passwd"));
        assertThatThrownBy(() -> ServerFile.read(folder.resolve(".mcp.json")))
                .hasMessageEndingWith(": no regular file");
        assertThatThrownBy(() -> ServerFile.read(folder)).hasMessageEndingWith(": no regular file");
        assertThatThrownBy(() -> ServerFile.read(folder.resolve("none"))).hasMessageEndingWith(": no such file");
    }

    @Test
    void an_entry_that_breaks_out_of_its_text_does_not() throws IOException {
        var hostile =
                "{\"mcpServers\": {\"a\\\"}, \\\"b\\\": {\\\"command\": {\"command\": \"x\\\", \\\"args\\\": [\\\"--\", \"args\": [\"]\", \"}\"]}}}";
        var wrapping = new Wrapping(file(hostile), USUAL);
        var text = wrapping.text();

        Files.writeString(folder.resolve(".mcp.json"), text);
        var again = ServerFile.read(folder.resolve(".mcp.json"));
        assertThat(again.servers()).hasSize(1);
        assertThat(again.bare()).isEmpty();
        assertThat(text).contains("\"x\\\", \\\"args\\\": [\\\"--\",\"]\",\"}\"]");
    }
}
