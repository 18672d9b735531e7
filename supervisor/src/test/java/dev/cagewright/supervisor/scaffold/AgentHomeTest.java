package dev.cagewright.supervisor.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.scaffold.Scaffold.HomeFile;
import dev.cagewright.supervisor.scaffold.Scaffold.HomeFile.Way;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What stands in an agent's home when it starts, whatever it left there before.
class AgentHomeTest {
    private static final Template TEMPLATE =
            new Template("/home/ada/\"app\"", Map.of("KEY", "sk-0123456789abcdefghijklmnop"));

    @TempDir
    private Path folder;

    private AgentHome home() throws IOException {
        return new AgentHome(Files.createDirectories(folder.resolve("home")));
    }

    private List<String> seed(HomeFile... files) throws IOException {
        return home().seed(List.of(files), TEMPLATE);
    }

    private String read(String path) throws IOException {
        return Files.readString(folder.resolve("home").resolve(path));
    }

    @Test
    void homes_are_kept_apart_by_scaffold_and_by_workspace() throws IOException, PolicySyntaxException {
        var folders = new StateFolders(folder.resolve("config"), folder.resolve("state"));
        var scaffolds = new Scaffolds(folder.resolve("scaffolds"));
        var one = AgentHome.of(folders, scaffolds.find("codex"), ByteString.of("/a"));

        assertThat(AgentHome.of(folders, scaffolds.find("codex"), ByteString.of("/a")))
                .isEqualTo(one);
        assertThat(AgentHome.of(folders, scaffolds.find("codex"), ByteString.of("/b")))
                .isNotEqualTo(one);
        assertThat(AgentHome.of(folders, scaffolds.find("pi"), ByteString.of("/a")))
                .isNotEqualTo(one);
        assertThat(one.folder()).as("nothing was started").doesNotExist();
        folders.makeHome(one.folder());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one.folder())))
                .isEqualTo("rwx------");
        assertThat(one.folder().startsWith(folders.state()))
                .as("no cage sees the state")
                .isFalse();
        assertThat(one.mount().path().value()).isEqualTo("/home/cage");
    }

    @Test
    void a_file_for_a_secret_is_put_there_when_the_run_has_it_and_else_the_next_of_its_name() throws IOException {
        assertThat(seed(
                        new HomeFile("a", Optional.of("KEY"), Way.ABSENT, "with the key"),
                        new HomeFile("a", Optional.empty(), Way.ABSENT, "without it"),
                        new HomeFile("b", Optional.of("OTHER"), Way.ABSENT, "with another"),
                        new HomeFile("b", Optional.empty(), Way.ABSENT, "without it")))
                .isEmpty();
        assertThat(read("a")).isEqualTo("with the key");
        assertThat(read("b")).isEqualTo("without it");
    }

    @Test
    void a_file_that_is_absent_is_made_and_one_that_is_there_is_treated_in_its_way() throws IOException {
        var files = new HomeFile[] {
            new HomeFile("once.toml", Optional.empty(), Way.ABSENT, "path = \"${workspace}\"\n"),
            new HomeFile("a/b/always.json", Optional.empty(), Way.REPLACE, "{\"key\": \"${secret:KEY}\"}"),
            new HomeFile(
                    "c.json",
                    Optional.empty(),
                    Way.MERGE,
                    "{\"in\": {\"tail\": \"${secret:KEY:last20}\"}, \"list\": [1]}")
        };
        assertThat(home().isNew()).isTrue();
        assertThat(seed(files)).isEmpty();
        assertThat(home().isNew()).isFalse();
        assertThat(read("once.toml")).isEqualTo("path = \"/home/ada/\\\"app\\\"\"\n");
        assertThat(read("a/b/always.json")).isEqualTo("{\"key\": \"sk-0123456789abcdefghijklmnop\"}");
        assertThat(read("c.json")).contains("\"tail\": \"6789abcdefghijklmnop\"");

        Files.writeString(folder.resolve("home/once.toml"), "mine");
        Files.writeString(folder.resolve("home/a/b/always.json"), "mine");
        Files.writeString(folder.resolve("home/c.json"), "{\"own\": true, \"in\": {\"own\": 2}, \"list\": [3, 4]}");
        assertThat(seed(files)).isEmpty();
        assertThat(read("once.toml")).isEqualTo("mine");
        assertThat(read("a/b/always.json")).contains("sk-0123456789");
        assertThat(read("c.json"))
                .isEqualTo("{\"own\":true,\"in\":{\"own\":2,\"tail\":\"6789abcdefghijklmnop\"},\"list\":[1]}\n");
    }

    @Test
    void a_file_that_needs_a_secret_which_the_run_has_not_is_left_out() throws IOException {
        assertThat(seed(
                        new HomeFile("auth", Optional.empty(), Way.REPLACE, "${secret:OTHER}"),
                        new HomeFile("plain", Optional.empty(), Way.REPLACE, "${secret:not a name} $5 \\")))
                .isEmpty();

        assertThat(folder.resolve("home/auth")).doesNotExist();
        assertThat(read("plain")).isEqualTo("${secret:not a name} $5 \\");
    }

    @Test
    void links_that_an_agent_left_lead_nowhere() throws IOException {
        home();
        var outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("file"), "theirs");
        Files.createSymbolicLink(folder.resolve("home/dir"), outside);
        Files.createSymbolicLink(folder.resolve("home/file"), outside.resolve("file"));
        Files.createSymbolicLink(folder.resolve("home/merged"), outside.resolve("file"));
        Files.createSymbolicLink(folder.resolve("home/x.cagewright-new"), outside.resolve("file"));

        var left = seed(
                new HomeFile("dir/new", Optional.empty(), Way.REPLACE, "x"),
                new HomeFile("file", Optional.empty(), Way.REPLACE, "ours"),
                new HomeFile("merged", Optional.empty(), Way.MERGE, "{}"),
                new HomeFile("x", Optional.empty(), Way.REPLACE, "ours"));

        assertThat(left).hasSize(2).allSatisfy(line -> assertThat(line).startsWith("home: "));
        assertThat(left.getFirst()).contains("dir/new");
        assertThat(left.getLast()).contains("merged");
        assertThat(outside.resolve("file")).hasContent("theirs");
        assertThat(outside.resolve("new")).doesNotExist();
        assertThat(Files.isRegularFile(folder.resolve("home/file"), LinkOption.NOFOLLOW_LINKS))
                .isTrue();
        assertThat(read("x")).isEqualTo("ours");
    }

    @Test
    void what_is_no_json_is_not_merged_with_and_stays() throws IOException {
        home();
        Files.writeString(folder.resolve("home/c.json"), "// a comment\n{}");
        Files.createDirectory(folder.resolve("home/d.json"));

        assertThat(seed(
                        new HomeFile("c.json", Optional.empty(), Way.MERGE, "{}"),
                        new HomeFile("d.json", Optional.empty(), Way.REPLACE, "{}")))
                .hasSize(2)
                .anySatisfy(line -> assertThat(line).contains("c.json was not prepared: it is no JSON"));
        assertThat(read("c.json")).startsWith("// a comment");
    }

    @Test
    void a_template_shows_no_decoy() {
        assertThat(TEMPLATE.toString()).contains("KEY").doesNotContain("sk-0123");
    }
}
