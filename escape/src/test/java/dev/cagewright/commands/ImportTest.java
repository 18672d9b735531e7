package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What other tools left behind, taken over by the packaged product and then used.
class ImportTest {
    private final Desk desk;

    ImportTest(@TempDir Path root) throws IOException {
        desk = Desk.in(root);
    }

    @Test
    void a_cage_that_could_only_read_its_project_can_only_read_it_here() throws IOException, InterruptedException {
        Files.writeString(desk.workspace().resolve("note"), "hello\n");
        var source = desk.write("cage.yaml", "name: look\ncontainer: {image: x, volumes: ['.:/workspace:ro']}\n");
        var made = desk.root().resolve("look.yaml").toString();

        var imported = desk.product("policy", "import", source, "-o", made);
        assertThat(imported.exit()).as(imported.toString()).isZero();
        assertThat(imported.err()).contains("a policy of agentcage", "left out: container.image");
        assertThat(desk.product("policy", "validate", made).exit()).isZero();
        assertThat(desk.product("run", "-q", "--policy", made, "--", "cat", "note")
                        .out())
                .isEqualTo("hello\n");
        assertThat(desk.product("run", "-q", "--policy", made, "--", "touch", "made")
                        .exit())
                .isNotZero();
        assertThat(desk.workspace().resolve("made")).doesNotExist();

        var again = desk.product("policy", "import", source, "-o", made);
        assertThat(again.exit()).as("a file that is there stays").isNotZero();
        assertThat(again.err()).contains("exists already");
    }

    @Test
    void a_source_that_is_none_ends_with_one_and_writes_nothing() throws IOException, InterruptedException {
        var source = desk.write("cage.yaml", "container: [\n");
        var made = desk.root().resolve("never.yaml");
        var result = desk.product("policy", "import", source, "-o", made.toString());

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).startsWith("cagewright: " + source + ":").doesNotContain("Exception");
        assertThat(made).doesNotExist();
    }

    @Test
    void a_server_that_was_put_into_a_cage_is_started_there_and_has_a_policy()
            throws IOException, InterruptedException, JsonSyntaxException {
        var file = desk.workspace().resolve(".mcp.json");
        Files.writeString(
                file,
                Json.object()
                        .put(
                                "mcpServers",
                                Json.object()
                                        .put(
                                                "say",
                                                Json.object()
                                                        .put("command", "printf")
                                                        .put("args", List.of("%s", "hi -- there"))
                                                        .build())
                                        .put(
                                                "far",
                                                Json.object()
                                                        .put("url", "https://far.test/mcp")
                                                        .build())
                                        .build())
                        .build()
                        .write());

        var shown = desk.product("mcp", "import");
        assertThat(shown.exit()).as(shown.toString()).isZero();
        assertThat(shown.out()).contains("say\n", "far\n", "mcp wrap --policy mcp-far --url https://far.test/mcp");
        assertThat(shown.err()).contains("nothing is written");

        var written = desk.product("mcp", "wrap-config", "--write");
        assertThat(written.exit()).as(written.toString()).isZero();
        var root = (JsonObject) Json.parse(Files.readString(file).getBytes(StandardCharsets.UTF_8));
        var server = (JsonObject) ((JsonObject) root.member("mcpServers").orElseThrow())
                .member("say")
                .orElseThrow();
        assertThat(server.text("command")).contains("cagewright");
        var words = new ArrayList<String>();
        ((JsonArray) server.member("args").orElseThrow())
                .items()
                .forEach(item -> words.add(((JsonString) item).value()));
        assertThat(words).containsExactly("mcp", "wrap", "--policy", "mcp-say", "--", "printf", "%s", "hi -- there");
        assertThat(desk.root().resolve("config/cagewright/policies/mcp-say.yaml"))
                .content()
                .contains("tools: [\"*\"]");
        assertThat(desk.product("policy", "validate", "mcp-say").exit()).isZero();
        assertThat(desk.product("policy", "validate", "mcp-far").exit()).isZero();
    }
}
