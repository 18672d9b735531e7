package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Words and files as the person means them: flags, bytes, names.
class WordsTest {
    private final Desk desk;

    WordsTest(@TempDir Path root) throws IOException {
        desk = Desk.in(root);
    }

    @Test
    void B254_what_follows_two_dashes_is_the_programs() throws IOException, InterruptedException {
        var result = desk.act("bytes", "--policy", "x", "--help", "-v", "--", "x", "--json");

        assertThat(result.exit()).as(result.toString()).isZero();
        assertThat(text(result)).isEqualTo("[--policy][x][--help][-v][--][x][--json]");
    }

    @Test
    void B254_without_dashes_the_first_word_that_is_no_option_ends_the_products_own()
            throws IOException, InterruptedException {
        var result = desk.product("run", "-q", "--policy", desk.policy(), desk.act(), "bytes", "-la", "--policy", "y");

        assertThat(result.exit()).as(result.toString()).isZero();
        assertThat(text(result)).isEqualTo("[-la][--policy][y]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run -q --workspace= -- true",
                "run -q --audit= -- true",
                "run -q --policy= -- true",
                "audit verify --log=",
                "policy init x --out=",
                "mcp wrap-config --write "
            })
    void B254_an_empty_value_is_a_usage_error_and_never_the_current_directory(String line)
            throws IOException, InterruptedException {
        var result = desk.product(line.split(" ", -1));

        assertThat(result.exit()).as(result.toString()).isEqualTo(2);
        assertThat(result.err()).contains("\"\" (expected: ").doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"5€", "5", "-1h", "1.5h", "99999999999d", "", " 5m", "5M", "１０m", "9223372036854775807m"})
    void B255_an_odd_age_is_a_usage_error_with_the_accepted_forms(String age) throws IOException, InterruptedException {
        var result = desk.product("audit", "events", "--since=" + age);

        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err())
                .contains("--since: \"" + age + "\" (expected: ")
                .doesNotContain("\tat ");
    }

    @Test
    void B265_arguments_and_names_keep_their_bytes_in_the_c_locale() throws IOException, InterruptedException {
        desk.workspace("é😀");
        var policy = desk.policy("ü.yaml", "é😀", "30s", "1MiB");
        var result = desk.with("LC_ALL", "C")
                .shell(
                        "\"$0\" run -q --policy \"$1\" --workspace \"$2\" -- \"$2/act\" bytes é 😀 $'\\xff' ''",
                        policy,
                        desk.root().resolve("é😀").toString());

        assertThat(result.exit()).as(result.toString()).isZero();
        assertThat(result.out()).isEqualTo("5bc3a95d5bf09f98805d5bff5d5b5d");
    }

    @Test
    void B265_a_home_with_a_blank_and_letters_beyond_ascii_holds_the_state() throws IOException, InterruptedException {
        var home = Files.createDirectories(desk.root().resolve("my hömé"));
        var person = desk.with("LC_ALL", "POSIX")
                .with("HOME", home.toString())
                .with("XDG_STATE_HOME", "")
                .with("XDG_CONFIG_HOME", "");
        var result = person.act("exit", "3");

        assertThat(result.exit()).as(result.toString()).isEqualTo(3);
        assertThat(home.resolve(".local/state/cagewright/audit.jsonl")).exists();
        assertThat(person.product("audit", "verify").exit()).isZero();
    }

    @Test
    void B265_the_program_gets_the_callers_own_locale() throws IOException, InterruptedException {
        var policy = desk.write(
                "env.yaml", "tool: env\nfs: {mounts: [{path: /workspace, mode: ro}]}\nexec: {allowlist: [printenv]}\n");
        var words = List.of("run", "-q", "--policy", policy, "--", "printenv", "LC_ALL");

        assertThat(desk.with("LC_ALL", "C").product(words).out()).isEqualTo("C\n");
        assertThat(desk.product(words).exit())
                .as("no LC_ALL is none in the cage")
                .isEqualTo(1);
    }

    @Test
    void B265_a_workspace_whose_name_is_no_text_is_named_escaped() throws IOException, InterruptedException {
        var result = desk.shell(
                "mkdir \"$3\"/$'w\\xff' && \"$0\" run -q --policy \"$1\" --workspace \"$3\"/$'w\\xff' -- \"$2\" exit 0",
                desk.policy(),
                desk.act(),
                desk.root().toString());

        assertThat(result.exit()).as(result.toString()).isIn(2, 125);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.err())
                .startsWith("cagewright: ")
                .contains("--workspace: ", "is not UTF-8")
                .doesNotContain("Exception");
    }

    @Test
    void B266_a_bare_policy_name_is_never_a_file_of_the_workspace() throws IOException, InterruptedException {
        for (String name : List.of("default", "default.yaml", "cage.yaml", ".cagerc", "acts", "cagewright")) {
            Files.writeString(desk.workspace().resolve(name), "tool: planted\nexec: {allowlist: [id]}\n");
        }
        var result = desk.with("PATH", ".::" + desk.variables().get("PATH"))
                .product("run", "--policy", "default", "--", "id");

        assertThat(result.exit()).isEqualTo(125);
        assertThat(result.err()).contains("no policy named \"default\"").contains("config/cagewright/policies");
    }

    @Test
    void B266_the_same_name_in_the_persons_folder_is_found() throws IOException, InterruptedException {
        var named = Files.createDirectories(desk.root().resolve("config/cagewright/policies"));
        Files.copy(Path.of(desk.policy()), named.resolve("acts.yaml"), StandardCopyOption.REPLACE_EXISTING);

        assertThat(desk.product("run", "--policy", "acts", "--", desk.act(), "exit", "7")
                        .exit())
                .isEqualTo(7);
    }

    private static String text(Desk.Result result) {
        var hex = result.out();
        var text = new StringBuilder();
        for (int i = 0; i < hex.length(); i += 2) {
            text.append((char) Integer.parseInt(hex.substring(i, i + 2), 16));
        }
        return text.toString();
    }
}
