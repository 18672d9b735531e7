package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `run NAME`: an agent that starts by the name of its scaffold, with the packaged product. The agent is a program of
/// the test that stands where an installer would have put it.
class AgentTest {
    private static final String VALUE = "sk-ant-REALvalue-0123456789abcdefghijklmnop";

    private static final String AGENT = """
            #!/bin/sh
            echo "asked $*"
            echo "key $ANTHROPIC_API_KEY"
            echo "sandbox $IS_SANDBOX"
            [ -e "$HOME/kept" ] && echo "home kept"
            touch "$HOME/kept" && echo "home $HOME"
            cat "$HOME/.claude.json"
            echo made > made-by-agent
            touch "$0" 2> /dev/null && echo "agent changed"
            exit 3
            """;

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway") // set before each test
    private Desk desk;

    @BeforeEach
    void install() throws IOException {
        var plain = Desk.in(folder.toRealPath());
        var packages = Files.createDirectories(plain.root().resolve("npm/lib/node_modules/claude"));
        var program = Files.writeString(packages.resolve("cli.sh"), AGENT);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        var bin = Files.createDirectories(plain.root().resolve("npm/bin"));
        Files.createSymbolicLink(bin.resolve("claude"), program);
        desk = plain.with("PATH", bin + ":" + plain.variables().get("PATH"));
    }

    private Desk.Result store() throws IOException, InterruptedException {
        var file = desk.write("key.txt", VALUE + "\n");
        var stored = desk.product("secret", "set", "ANTHROPIC_API_KEY", "--from-file", file);
        Files.delete(Path.of(file));
        return stored;
    }

    @Test
    void an_agent_starts_in_a_repository_with_a_home_that_lasts_between_its_runs()
            throws IOException, InterruptedException {
        var first = desk.product("run", "claude-code", "-p", "--", "two words");

        assertThat(first.exit()).as(first.toString()).isEqualTo(3);
        assertThat(first.out())
                .contains(
                        "asked --dangerously-skip-permissions -p -- two words",
                        "key \n",
                        "sandbox 1",
                        "home /home/cage",
                        "\"hasCompletedOnboarding\": true",
                        "\"" + desk.workspace() + "\": {\"hasTrustDialogAccepted\": true}")
                .doesNotContain("home kept", "agent changed", "customApiKeyResponses");
        assertThat(desk.workspace().resolve("made-by-agent")).hasContent("made");
        assertThat(desk.root().resolve("home")).as("the person's own home").isEmptyDirectory();

        assertThat(desk.product("run", "-q", "claude-code").out()).contains("home kept");
        var elsewhere = desk.workspace("elsewhere");
        assertThat(desk.product("run", "-q", "--workspace", elsewhere.toString(), "claude-code")
                        .out())
                .contains("home /home/cage")
                .doesNotContain("home kept");
    }

    @Test
    void an_agent_in_a_repository_that_names_servers_is_told_of_them_in_one_line()
            throws IOException, InterruptedException {
        Files.writeString(
                desk.workspace().resolve(".mcp.json"), "{\"mcpServers\": {\"docs\": {\"command\": \"npx\"}}}");

        assertThat(desk.product("run", "claude-code").err().lines().filter(line -> line.contains(".mcp.json")))
                .singleElement()
                .asString()
                .contains(".mcp.json has an agent start docs: in this cage here", "cagewright mcp import");
    }

    @Test
    void I2_an_agent_finds_the_decoy_wherever_it_looks_for_its_key() throws IOException, InterruptedException {
        assertThat(store().exit()).isZero();
        var ran = desk.product("run", "-q", "claude-code");

        assertThat(ran.out())
                .as(ran.toString())
                .containsPattern("key sk-ant-[^ ]{20,}")
                .doesNotContain("REALvalue");
        var decoy = ran.out().replaceFirst("(?s).*\nkey ([^\n]*)\n.*", "$1");
        assertThat(ran.out()).contains("\"approved\":[\"" + decoy.substring(decoy.length() - 20) + "\"]");
        var homes = desk.root().resolve("state/cagewright-homes");
        try (var files = Files.walk(homes)) {
            assertThat(files.filter(Files::isRegularFile).toList())
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                            .doesNotContain("REALvalue"));
        }
    }

    @Test
    void behind_two_dashes_the_word_is_a_program_and_no_agent() throws IOException, InterruptedException {
        var ran = desk.product("run", "--", "claude-code");

        assertThat(ran.exit()).isEqualTo(127);
        assertThat(ran.err()).contains("program \"claude-code\": not on the cage's PATH");
        assertThat(desk.root().resolve("state/cagewright-homes")).doesNotExist();
    }

    @Test
    void a_dry_run_of_an_agent_makes_nothing() throws IOException, InterruptedException {
        assertThat(desk.product("run", "--dry-run", "claude-code").err()).contains("would be allowed");
        assertThat(desk.root().resolve("state/cagewright-homes")).doesNotExist();
    }

    @Test
    void an_agent_that_is_not_installed_is_told_with_what_installs_it() throws IOException, InterruptedException {
        var ran = desk.with("PATH", "/usr/bin:/bin").product("run", "codex");

        assertThat(ran.exit()).isEqualTo(125);
        assertThat(ran.err())
                .contains("codex: there is no program \"codex\" on your PATH (expected: npm install -g @openai/codex)");
    }

    @Test
    void a_scaffold_of_ones_own_starts_from_another_and_comes_before_it() throws IOException, InterruptedException {
        var made = desk.product("scaffold", "create", "mine", "--from", "claude-code");
        assertThat(made.exit()).as(made.toString()).isZero();
        var form = Path.of(made.out().strip()).resolve("scaffold.yaml");
        Files.writeString(form, Files.readString(form).replace("--dangerously-skip-permissions", "--mine"));

        assertThat(desk.product("run", "-q", "mine").out()).contains("asked --mine\n");
        assertThat(desk.product("scaffold", "list").out())
                .contains("mine              yours", "codex             built-in");
        Files.writeString(form, "name: mine\nprogram: claude\nenvironment: {LD_PRELOAD: /x}\n");
        var refused = desk.product("run", "mine");
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("scaffold.yaml:3:").contains("LD_PRELOAD");
    }

    @Test
    void a_policy_that_is_named_takes_the_place_of_the_scaffolds() throws IOException, InterruptedException {
        var policy = desk.write("narrow.yaml", "tool: narrow\nfs: {mounts: [{path: /workspace, mode: ro}]}\n");
        var ran = desk.product("run", "-q", "--policy", policy, "claude-code");

        assertThat(ran.out()).as(ran.toString()).contains("home /home/cage");
        assertThat(desk.workspace().resolve("made-by-agent")).doesNotExist();
    }
}
