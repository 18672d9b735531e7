package dev.cagewright.supervisor.named;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.CompiledPolicy;
import dev.cagewright.policy.quantity.PublishedPort;
import dev.cagewright.supervisor.credentials.SecretWish;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.scaffold.Scaffolds;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The files of named cages.
class NamedCagesTest {
    @TempDir
    private Path folder;

    private StateFolders folders() {
        return new StateFolders(folder.resolve("config"), folder.resolve("state"));
    }

    private NamedCages cages() {
        return NamedCages.of(folders());
    }

    private String policy(String name, Optional<String> scaffold) throws IOException {
        return FirstPolicy.text(name, scaffold, Scaffolds.of(folders()));
    }

    private static NamedCage bare(String name) {
        return new NamedCage(name, Path.of("/tmp"), Optional.empty(), List.of(), List.of());
    }

    private void written(String name, String form) throws IOException, PolicySyntaxException {
        cages().create(bare(name), policy(name, Optional.empty()));
        Files.writeString(cages().form(name), form);
    }

    @Test
    void what_is_created_is_found_again() throws IOException, PolicySyntaxException {
        var cage = new NamedCage(
                "my-agent",
                Path.of("/home/me/a \"quoted\" repo: #1"),
                Optional.of("claude-code"),
                List.of(SecretWish.parse("ANTHROPIC_API_KEY"), SecretWish.parse("gh=GITHUB_TOKEN")),
                List.of(PublishedPort.parse("", "3000"), PublishedPort.parse("", "0:80")));

        cages().create(cage, policy("my-agent", cage.scaffold()));

        assertThat(cages().names()).containsExactly("my-agent");
        assertThat(cages().find("my-agent")).isEqualTo(cage);
        assertThat(Files.getPosixFilePermissions(cages().folder("my-agent")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "base", "claude-code", "codex", "gemini", "openclaw", "opencode", "pi"})
    void the_first_policy_is_the_cages_own_and_compiles(String scaffold)
            throws IOException, PolicySyntaxException, BadPolicyException {
        var named = Optional.of(scaffold).filter(word -> !word.isEmpty());
        cages().create(bare("null"), policy("null", named));

        var policy = cages().policy("null");

        assertThat(policy.document().tool())
                .hasValueSatisfying(tool -> assertThat(tool.value()).isEqualTo("null"));
        assertThat(policy.text()).contains("cagewright edit null").doesNotContain("@NAME@");
        var compiled = CompiledPolicy.compile(policy.document());
        assertThat(compiled.judge(new Action.HttpRequest("GET", new HostName("elsewhere.test"), 443, "/")))
                .isInstanceOf(Decision.Deny.class);
    }

    @Test
    void one_that_is_there_is_not_overwritten() throws IOException, PolicySyntaxException {
        written("mine", "name: mine\nworkspace: /srv\n");

        assertThatThrownBy(() -> cages().create(bare("mine"), policy("mine", Optional.empty())))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(cages().find("mine").workspace()).isEqualTo(Path.of("/srv"));
        try (var left = Files.list(folder.resolve("config/cages"))) {
            assertThat(left).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "name: c\\nworkspce: /srv\\n                       | 2:1 | did you mean \"workspace\"?",
                "name: c\\nworkspace: srv\\n                       | 2:12 | absolute path",
                "name: c\\nworkspace: /srv/../etc\\n               | 2:12 | absolute path",
                "name: c\\nworkspace: /srv\\npublish: [99999]\\n   | 3:11 | HOST:CAGE",
                "name: c\\nworkspace: /srv\\npublish: [\"1:0\"]\\n | 3:11 | HOST:CAGE",
                "name: c\\nworkspace: /srv\\npublish: 3000\\n      | 3:10 | [ ]",
                "name: c\\nworkspace: /srv\\nscaffold: ../x\\n     | 3:11 | scaffold",
                "name: C\\nworkspace: /srv\\n                      | 1:7 | small letters",
                "name: c\\nname: c\\nworkspace: /srv\\n             | 2:1 | ",
                "workspace: /srv\\n                                | 1:1 | \"name\" is missing",
            })
    void what_is_wrong_is_told_with_its_place(String form, String place, String hint)
            throws IOException, PolicySyntaxException {
        written("c", form.replace("\\n", "\n"));

        assertThatThrownBy(() -> cages().find("c"))
                .isInstanceOf(PolicySyntaxException.class)
                .hasMessageContaining("cage.yaml:" + place + ":")
                .hasMessageContaining(hint == null ? "" : hint);
    }

    @Test
    void a_value_in_the_place_of_a_secrets_name_is_not_shown() throws IOException, PolicySyntaxException {
        written("c", "name: c\nworkspace: /srv\nsecrets: [\"sk-ant/abc=def ghi\"]\n");

        assertThatThrownBy(() -> cages().find("c"))
                .isInstanceOf(PolicySyntaxException.class)
                .hasMessageContaining("cage.yaml:3:11:")
                .hasMessageContaining("cagewright secret set")
                .hasMessageNotContaining("sk-ant");
    }

    @Test
    void no_such_cage_is_told_with_those_that_there_are() throws IOException, PolicySyntaxException {
        written("first", "name: first\nworkspace: /srv\n");

        assertThatThrownBy(() -> cages().find("secnd"))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessage(
                        "cage secnd: there is none (expected: one of first; or cagewright init secnd, which makes it)");
        assertThat(cages().has("secnd")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "../x", "a/b", "-a", "A", "a_b", "a.b", "a\n", "\u0131"})
    void what_is_no_name_finds_nothing(String name) {
        assertThat(cages().has(name)).isFalse();
        assertThatThrownBy(() -> cages().find(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("small letters");
    }

    @Test
    void the_longest_name_is_one_and_a_longer_is_none() throws IOException, PolicySyntaxException {
        var longest = "a".repeat(63);
        cages().create(bare(longest), policy(longest, Optional.empty()));

        assertThat(cages().policy(longest).document().tool()).isPresent();
        assertThat(cages().has("a".repeat(64))).isFalse();
    }

    @Test
    void the_files_of_another_cage_are_refused() throws IOException, PolicySyntaxException {
        written("c", "name: d\nworkspace: /srv\n");
        Files.writeString(cages().policyFile("c"), "tool: d\n");

        assertThatThrownBy(() -> cages().find("c"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("(expected: c, the name of its folder)");
        assertThatThrownBy(() -> cages().policy("c"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tool: d (expected: tool: c");
    }

    @Test
    void files_that_everybody_may_write_or_links_are_refused() throws IOException, PolicySyntaxException {
        written("c", "name: c\nworkspace: /srv\n");
        Files.setPosixFilePermissions(cages().form("c"), PosixFilePermissions.fromString("rw-rw-rw-"));

        assertThatThrownBy(() -> cages().find("c")).hasMessageContaining("everybody may write it");

        var elsewhere = Files.writeString(folder.resolve("elsewhere"), "name: c\nworkspace: /srv\n");
        Files.delete(cages().form("c"));
        Files.createSymbolicLink(cages().form("c"), elsewhere);

        assertThatThrownBy(() -> cages().find("c")).hasMessageContaining("is no regular file");
    }

    @Test
    void a_file_without_an_end_is_refused() throws IOException, PolicySyntaxException {
        written("c", "#".repeat(3 << 20));

        assertThatThrownBy(() -> cages().find("c")).hasMessageContaining("larger than");
    }

    @Test
    void removing_takes_the_two_files_and_no_other() throws IOException, PolicySyntaxException {
        written("c", "name: c\nworkspace: /srv\n");
        written("d", "name: d\nworkspace: /srv\n");
        Files.writeString(cages().folder("d").resolve("notes"), "mine", StandardCharsets.UTF_8);

        cages().remove("c");

        assertThat(cages().folder("c")).doesNotExist();
        assertThatThrownBy(() -> cages().remove("d")).isInstanceOf(IOException.class);
        assertThat(cages().folder("d").resolve("notes")).exists();
    }

    @Test
    void its_state_is_the_owners_and_its_home_is_no_agents() throws IOException {
        assertThat(Files.getPosixFilePermissions(cages().state("c")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(cages().home("c").folder()).isEqualTo(folders().homes().resolve("cage.c"));
    }
}
