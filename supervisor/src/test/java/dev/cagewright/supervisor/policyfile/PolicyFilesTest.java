package dev.cagewright.supervisor.policyfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyFilesTest {
    private final Path folder;
    private final PolicyFiles files;

    PolicyFilesTest(@TempDir Path temporary) throws IOException {
        folder = temporary.toRealPath();
        Files.createDirectories(folder.resolve("config/policies"));
        Files.createDirectories(folder.resolve("etc"));
        Files.createDirectories(folder.resolve("project"));
        files = new PolicyFiles(
                folder.resolve("etc/policy.yaml"),
                folder.resolve("config/policy.yaml"),
                folder.resolve("config/policies"));
    }

    private Path written(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void a_file_is_read_with_its_digest_its_lines_and_its_places() throws Exception {
        var file = written("project/p.yaml", "tool: build\nexec:\n  allowlist: [git]\n");

        var policy = PolicyFiles.load(file);

        assertThat(policy.sha256()).isEqualTo("ea0f511f11a901ca6cb6745dbd71511295dfa43e7af6dc3a3f3a013e103bf433");
        assertThat(policy.line(3)).contains("  allowlist: [git]");
        assertThat(policy.line(0)).isEmpty();
        assertThat(policy.line(5)).isEmpty();
        assertThat(policy.document().origins().at("/exec/allowlist/0")).hasToString("Optional[" + file + ":3:15]");
        assertThat(policy.liesWithin(folder.resolve("project"))).isTrue();
        assertThat(policy.liesWithin(folder.resolve("etc"))).isFalse();
    }

    @Test
    void B266_a_bare_name_never_means_a_file_of_the_working_directory() throws IOException {
        // the working directory of the tests holds a pom.xml, and a policy of that name is asked for
        assertThat(Path.of("pom.xml")).exists();
        for (String name : new String[] {"pom.xml", "default", "cage.yaml", ".cagerc", "toolcage.yaml"}) {
            assertThatThrownBy(() -> files.find(name)).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> files.find("default"))
                .hasMessage("policy: no policy named \"default\" in " + files.named()
                        + " (expected: its name, or a path with a slash such as ./default.yaml)");
        assertThatThrownBy(() -> files.find(".cagerc"))
                .hasMessageStartingWith("policy: \".cagerc\" is no name (expected: letters,");
    }

    @Test
    void B266_a_bare_name_means_the_persons_policy_of_that_name() throws Exception {
        written("config/policies/default.yaml", "tool: mine\n");

        assertThat(files.find("default").document().tool()).hasToString("Optional[mine]");
        assertThat(files.find("default.yaml").document().tool()).hasToString("Optional[mine]");
    }

    @Test
    void a_path_with_a_slash_means_that_file() throws Exception {
        var file = written("project/p.yaml", "tool: there\n");

        assertThat(files.find(file.toString()).document().tool()).hasToString("Optional[there]");
        assertThatThrownBy(() -> files.find(folder + "/project/q.yaml"))
                .isInstanceOf(IOException.class)
                .hasMessage("policy: " + folder + "/project/q.yaml: no such file");
    }

    @Test
    void layers_are_those_that_exist_in_their_order() throws Exception {
        assertThat(files.layersOver(Optional.empty()).inOrder()).isEmpty();

        written("etc/policy.yaml", "mode: enforce\n");
        written("config/policy.yaml", "mode: observe\n");
        var project = PolicyFiles.load(written("project/p.yaml", "mode: lockdown\n"));

        assertThat(files.layersOver(Optional.of(project)).inOrder())
                .extracting(policy -> policy.document().mode().orElseThrow().word())
                .containsExactly("enforce", "observe", "lockdown");
    }

    @Test
    void a_layer_that_everybody_may_write_is_refused() throws IOException {
        for (String name : new String[] {"etc/policy.yaml", "config/policy.yaml"}) {
            var file = written(name, "mode: enforce\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));

            assertThatThrownBy(() -> files.layersOver(Optional.empty()))
                    .isInstanceOf(IOException.class)
                    .hasMessage("policy: " + file + ": everybody may write it (expected: chmod o-w " + file + ")");

            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
        }
    }

    @Test
    void a_layer_in_a_folder_that_everybody_may_write_is_refused() throws IOException {
        written("etc/policy.yaml", "mode: enforce\n");
        var etc = folder.resolve("etc");
        Files.setPosixFilePermissions(etc, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(() -> files.layersOver(Optional.empty()))
                .hasMessage("policy: " + files.organisation() + ": everybody may replace it (expected: chmod o-w " + etc
                        + ")");
    }

    @Test
    void a_layer_that_is_there_but_cannot_be_read_is_no_absent_layer() throws IOException {
        Files.createSymbolicLink(files.organisation(), folder.resolve("gone"));

        assertThatThrownBy(() -> files.layersOver(Optional.empty()))
                .hasMessage("policy: " + files.organisation() + ": no such file");
    }

    @Test
    void what_is_not_a_regular_file_is_refused() {
        for (Path file : new Path[] {folder, Path.of("/dev/null"), Path.of("/dev/zero")}) {
            assertThatThrownBy(() -> PolicyFiles.load(file))
                    .isInstanceOf(IOException.class)
                    .hasMessage("policy: " + file + ": it is not a regular file (expected: a file with a policy)");
        }
    }

    @Test
    void a_pipe_that_nobody_writes_is_refused_and_not_waited_for() throws IOException, InterruptedException {
        var pipe = folder.resolve("project/pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        assertThatThrownBy(() -> PolicyFiles.load(pipe))
                .hasMessage("policy: " + pipe + ": it is not a regular file (expected: a file with a policy)");
    }

    @Test
    void an_empty_file_is_no_policy_and_an_empty_mapping_is_one() throws Exception {
        for (String text : new String[] {"", "\n\n", "# nothing yet\n", "\ufeff"}) {
            var file = written("project/p.yaml", text);
            assertThatThrownBy(() -> PolicyFiles.load(file))
                    .isInstanceOf(PolicySyntaxException.class)
                    .hasMessage(file + ":1:1: the file holds no policy (write {} for one that says nothing)");
        }
        assertThat(PolicyFiles.load(written("project/p.yaml", "{}\n"))
                        .document()
                        .exec())
                .isEmpty();
    }

    @Test
    void B207_a_long_file_name_with_wide_letters_is_shown_whole() throws IOException {
        for (int length = 70; length <= 90; length++) {
            var file = written("project/" + "a".repeat(length) + "😀😀😀", "tool: 1\n");
            assertThatThrownBy(() -> PolicyFiles.load(file))
                    .isInstanceOf(PolicySyntaxException.class)
                    .hasMessageStartingWith(file + ":1:7: tool: expected a name");
        }
    }
}
