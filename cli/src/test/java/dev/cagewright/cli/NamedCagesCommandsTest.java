package dev.cagewright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.policy.action.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files of named cages from the command line; nobody can be asked.
class NamedCagesCommandsTest {
    @TempDir
    private Path folder;

    private final Map<String, String> environment = new HashMap<>();

    private record Said(int exit, String out, String err) {}

    @BeforeEach
    void begin() throws IOException {
        environment.put("HOME", folder.resolve("home").toString());
        environment.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
        environment.put("PATH", "/usr/bin:/bin");
        Files.createDirectory(folder.resolve("ws"));
    }

    private Said says(String... words) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        try (var printed = new PrintStream(out, true, StandardCharsets.UTF_8);
                var said = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            var bytes = Arrays.stream(words).map(ByteString::of).toList();
            int exit = Main.run(
                    Console.into(printed, said),
                    environment,
                    count -> bytes.subList(bytes.size() - count, bytes.size()),
                    words);
            return new Said(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        }
    }

    private Said init(String name, String... more) {
        var words = new String[more.length + 4];
        System.arraycopy(more, 0, words, 4, more.length);
        words[0] = "init";
        words[1] = name;
        words[2] = "--workspace";
        words[3] = folder.resolve("ws").toString();
        return says(words);
    }

    private Path cage(String name) {
        return folder.resolve("config/cagewright/cages").resolve(name);
    }

    /// An editor that does what a line of sed says.
    private void editor(String script) throws IOException {
        var program = folder.resolve("editor");
        Files.writeString(program, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        environment.put("EDITOR", program.toString());
    }

    @Test
    void init_writes_two_files_and_overwrites_neither() throws IOException {
        var made = init("mine", "--scaffold", "claude-code", "-s", "ANTHROPIC_API_KEY", "--publish", "8080:80");

        assertThat(made.exit()).as(made.err()).isZero();
        assertThat(made.out()).isEqualTo(cage("mine") + "\n");
        assertThat(cage("mine").resolve("cage.yaml"))
                .content()
                .contains("workspace: \"" + folder.toRealPath().resolve("ws") + "\"", "\"8080:80\"");
        assertThat(cage("mine").resolve("policy.yaml")).content().contains("tool: \"mine\"", "api.anthropic.com");

        var again = init("mine");
        assertThat(again.exit()).isEqualTo(2);
        assertThat(again.err()).contains("the cage mine exists already (expected: another name");
        assertThat(cage("mine").resolve("policy.yaml")).content().contains("api.anthropic.com");
    }

    @Test
    void init_of_an_unknown_scaffold_or_workspace_writes_nothing() {
        assertThat(init("mine", "--scaffold", "clude").err()).contains("there is no scaffold \"clude\"");
        assertThat(says("init", "mine", "--workspace", folder.resolve("nowhere").toString())
                        .exit())
                .isNotZero();
        assertThat(init("Mine").err()).contains("small letters");
        assertThat(cage("mine")).doesNotExist();
    }

    @Test
    void what_an_editor_wrote_takes_the_files_place_with_its_comments() throws IOException {
        init("mine");
        editor("sed -i 's/memory: 8GiB/memory: 2GiB/; s/^# The policy/# My policy/' \"$1\"");

        var edited = says("edit", "mine");

        assertThat(edited.exit()).as(edited.err()).isZero();
        assertThat(edited.err()).contains("kept; holds from the next start:", "- resources.memory: 8GiB becomes 2GiB");
        assertThat(cage("mine").resolve("policy.yaml")).content().contains("# My policy of", "memory: 2GiB");
        assertThat(folder.resolve("state/cagewright/cages/mine")).isEmptyDirectory();
    }

    @Test
    void what_is_wrong_is_told_with_its_place_and_kept_beside() throws IOException {
        init("mine");
        var before = Files.readString(cage("mine").resolve("policy.yaml"));
        editor("sed -i 's/^net:/nett:/' \"$1\"");

        var edited = says("edit", "mine");

        assertThat(edited.exit()).isEqualTo(1);
        assertThat(edited.err())
                .contains("policy.yaml:8:1: unknown key \"nett\" (did you mean \"net\"?)", "what you wrote is in");
        assertThat(cage("mine").resolve("policy.yaml")).hasContent(before);
        var kept = Path.of(edited.err().strip().replaceFirst("(?s).* is in ", ""));
        assertThat(kept).content().contains("nett:");
    }

    @Test
    void a_policy_of_another_tool_and_bytes_that_are_no_text_are_wrong() throws IOException {
        init("mine");
        editor("sed -i 's/^tool:.*/tool: other/' \"$1\"");
        assertThat(says("edit", "mine").err()).contains("tool: other (expected: tool: mine");

        editor("printf 'tool: mine\\377\\n' > \"$1\"");
        assertThat(says("edit", "mine").err()).contains("is not UTF-8");

        editor("sed -i 's/^name:.*/name: other/' \"$1\"");
        assertThat(says("edit", "mine", "--cage").err()).contains("name: other (expected: mine");
    }

    @Test
    void an_editor_that_fails_or_changes_nothing_changes_nothing() throws IOException {
        init("mine");
        editor("exit 3");
        var failed = says("edit", "mine");
        assertThat(failed.exit()).isEqualTo(1);
        assertThat(failed.err()).contains("the editor ended with 3: nothing is changed");

        editor("exit 0");
        assertThat(says("edit", "mine").err()).contains("nothing is changed");
        assertThat(folder.resolve("state/cagewright/cages/mine")).isEmptyDirectory();
    }

    @Test
    void a_change_of_somebody_else_meanwhile_is_not_overwritten() throws IOException {
        init("mine");
        var policy = cage("mine").resolve("policy.yaml");
        editor("echo '# theirs' >> " + policy + "; echo '# mine' >> \"$1\"");

        var edited = says("edit", "mine");

        assertThat(edited.exit()).isNotZero();
        assertThat(edited.err()).contains("was changed meanwhile by somebody else");
        assertThat(policy).content().contains("# theirs").doesNotContain("# mine");
    }

    @Test
    void destroy_without_somebody_to_ask_takes_a_yes() throws IOException {
        init("mine");
        var home = Files.createDirectories(folder.resolve("state/cagewright-homes/cage.mine/.config"));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("---------"));

        assertThat(says("destroy", "mine").exit()).isEqualTo(2);
        assertThat(cage("mine")).exists();

        var gone = says("destroy", "mine", "-y");

        assertThat(gone.exit()).as(gone.err()).isZero();
        assertThat(cage("mine")).doesNotExist();
        assertThat(home.getParent()).doesNotExist();
        assertThat(folder.resolve("ws")).exists();
        assertThat(says("destroy", "mine", "-y").err()).contains("cage mine: there is none");
    }

    @Test
    void destroy_leaves_a_home_that_is_to_be_kept_and_prune_asks_for_it() throws IOException {
        init("mine");
        var home = Files.createDirectories(folder.resolve("state/cagewright-homes/cage.mine"));

        assertThat(says("destroy", "mine", "-y", "--keep-home").exit()).isZero();
        assertThat(home).exists();
        assertThat(says("prune", "-y").err()).contains("1 homes of agents are left", "prune --homes");
        assertThat(home).exists();
        assertThat(says("prune", "-y", "--homes").exit()).isZero();
        assertThat(home).doesNotExist();
    }

    @Test
    void verify_tells_good_from_bad_and_builds_a_real_cage() throws IOException {
        init("mine", "--scaffold", "claude-code", "-s", "ANTHROPIC_API_KEY");

        var verified = says("verify", "mine");

        assertThat(verified.exit()).isEqualTo(1);
        assertThat(verified.out())
                .contains("ok  policy", "ok  cage.yaml", "ok  workspace", "ok  runtime   a cage around the workspace")
                .contains("bad secrets   ANTHROPIC_API_KEY not stored (cagewright secret set ANTHROPIC_API_KEY")
                .contains("-   session   none yet")
                .containsPattern("ok {2}trust +curl.* trust the cage's gateway");

        Files.delete(folder.resolve("ws"));
        assertThat(says("verify", "mine", "--json").out())
                .contains("\"good\":false", "{\"what\":\"workspace\",\"state\":\"bad\"");
    }
}
