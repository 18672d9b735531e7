package dev.cagewright.sandbox.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.programs.ResolvedProgram.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProgramsTest {
    @TempDir
    private Path root;

    private Path program(String path) throws IOException {
        return file(path, "rwxr-xr-x");
    }

    private Path file(String path, String mode) throws IOException {
        var file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private void link(String path, String leadsTo) throws IOException {
        Files.createDirectories(root.resolve(path).getParent());
        Files.createSymbolicLink(root.resolve(path), Path.of(leadsTo));
    }

    private Programs programs() {
        return Programs.below(root, List.of(Path.of("/workspace")), List.of());
    }

    private ResolvedProgram resolve(String name) throws ProgramNotFoundException {
        return programs().resolve(ByteString.of(name));
    }

    @Test
    void B174_a_versioned_link_resolves_to_its_target_and_both_names_are_known() throws Exception {
        program("usr/bin/python3.11");
        link("usr/bin/python3", "python3.11");

        var found = resolve("python3");

        assertThat(found.named()).isEqualTo(Path.of("/usr/bin/python3"));
        assertThat(found.target()).isEqualTo(Path.of("/usr/bin/python3.11"));
        assertThat(found.place()).isEqualTo(Place.SYSTEM);
    }

    @Test
    void a_program_of_a_mount_is_found_where_the_mount_comes_from() throws Exception {
        program("srv/tools/bin/build");
        link("srv/tools/run", "bin/build");
        link("srv/tools/out", "/srv/tools/bin/build");
        file("srv/tools/notes", "rw-r--r--");
        var programs = Programs.below(root, List.of(), List.of(Path.of("/tools")))
                .with(Map.of(Path.of("/tools"), root.resolve("srv/tools")));

        assertThat(programs.resolve(ByteString.of("/tools/bin/build")).target()).isEqualTo(Path.of("/tools/bin/build"));
        assertThat(programs.resolve(ByteString.of("/tools/run")).target()).isEqualTo(Path.of("/tools/bin/build"));
        assertThatThrownBy(() -> programs.resolve(ByteString.of("/tools/out")))
                .hasMessage(
                        "/tools/out: leads to /srv/tools/bin/build, which the cage does not see; mount that directory");
        assertThatThrownBy(() -> programs.resolve(ByteString.of("/tools/notes")))
                .hasMessage("/tools/notes: is not an executable file");
        assertThatThrownBy(() -> programs.resolve(ByteString.of("/tools/bin/other")))
                .hasMessage("/tools/bin/other: does not exist");
    }

    @Test
    void B174_a_merged_usr_and_the_alternatives_are_followed_inside_the_root() throws Exception {
        program("usr/bin/dash");
        link("usr/bin/sh", "dash");
        link("bin", "usr/bin");
        program("usr/bin/vim.basic");
        link("etc/alternatives/editor", "/usr/bin/vim.basic");
        link("usr/bin/editor", "/etc/alternatives/editor");

        assertThat(resolve("/bin/sh").target()).isEqualTo(Path.of("/usr/bin/dash"));
        assertThat(resolve("editor").target()).isEqualTo(Path.of("/usr/bin/vim.basic"));
        assertThat(resolve("editor").links())
                .containsExactly(Path.of("/usr/bin/editor"), Path.of("/etc/alternatives/editor"));
    }

    @Test
    void B174_a_link_in_a_writable_place_is_told_and_never_taken_for_a_bare_name() throws Exception {
        program("usr/bin/python3.11");
        link("workspace/venv/bin/python", "/usr/bin/python3.11");
        program("workspace/tool");
        link("usr/bin/tool", "/workspace/tool");

        assertThat(resolve("/workspace/venv/bin/python").place()).isEqualTo(Place.WRITABLE);
        assertThatThrownBy(() -> resolve("tool"))
                .isInstanceOf(ProgramNotFoundException.class)
                .hasMessage("program \"tool\": /usr/bin/tool leads to /workspace/tool, which the workload may write;"
                        + " install it for the whole system, or give the absolute path of a mounted file");
    }

    @Test
    void a_version_manager_under_a_home_directory_is_refused_with_its_path() throws Exception {
        program("home/ada/.nvm/node");
        link("usr/local/bin/node", "/home/ada/.nvm/node");

        assertThatThrownBy(() -> resolve("node"))
                .hasMessage("program \"node\": /usr/local/bin/node: leads to /home/ada/.nvm/node, which the cage does"
                        + " not see; mount that directory; install it for the whole system, or give the absolute"
                        + " path of a mounted file");
    }

    @Test
    void a_program_that_only_the_caller_finds_is_told_with_its_place() throws Exception {
        program("home/ada/.pyenv/shims/python3");
        program("usr/bin/sh");
        var path = ByteString.of("relative:/nowhere:/home/ada/.pyenv/shims:/usr/bin");

        assertThat(programs().elsewhere("python3", path))
                .contains("python3 is /home/ada/.pyenv/shims/python3 for you, which the cage does not see: mount its"
                        + " directory read-only and give the absolute path, or install it for the whole system");
        assertThat(programs().elsewhere("sh", path)).isEmpty();
        assertThat(programs().elsewhere("absent", path)).isEmpty();
    }

    @Test
    void an_earlier_file_that_cannot_be_executed_does_not_hide_a_later_program() throws Exception {
        file("usr/local/bin/tool", "rw-r--r--");
        program("usr/bin/tool");

        assertThat(resolve("tool").target()).isEqualTo(Path.of("/usr/bin/tool"));
    }

    @Test
    void the_working_directory_is_no_place_to_look() throws Exception {
        program("workspace/tool");

        assertThatThrownBy(() -> resolve("./tool"))
                .hasMessage("program \"./tool\": a relative path depends on the working directory;"
                        + " give a bare name or an absolute path");
        assertThatThrownBy(() -> resolve("tool"))
                .hasMessageStartingWith("program \"tool\": not on the cage's PATH (/usr/local/bin:/usr/bin:/bin)");
    }

    @Test
    void a_directory_a_plain_file_and_a_loop_are_not_programs() throws Exception {
        Files.createDirectories(root.resolve("usr/bin/dir"));
        file("usr/bin/plain", "rw-r--r--");
        link("usr/bin/loop", "loop");

        assertThatThrownBy(() -> resolve("dir")).hasMessageContaining("/usr/bin/dir: is not an executable file");
        assertThatThrownBy(() -> resolve("plain")).hasMessageContaining("/usr/bin/plain: is not an executable file");
        assertThatThrownBy(() -> resolve("loop")).hasMessageContaining("/usr/bin/loop: cannot be followed");
    }

    @Test
    void B126_a_name_that_is_not_text_is_one_clear_refusal() {
        var name = ByteString.copyOf(new byte[] {'a', (byte) 0xff});

        assertThatThrownBy(() -> programs().resolve(name))
                .hasMessage("program \"a\\xff\": not a usable name (expected: UTF-8, not empty); rename the file");
        assertThatThrownBy(() -> programs().resolve(ByteString.of(""))).hasMessageStartingWith("program \"\": not");
    }

    @Test
    void a_link_upwards_stays_inside_the_root() throws Exception {
        program("usr/bin/real");
        link("usr/bin/up", "../../../../../../usr/bin/real");

        assertThat(resolve("up").target()).isEqualTo(Path.of("/usr/bin/real"));
    }

    @Test
    void the_shell_of_this_host_is_found() throws Exception {
        var shell = Programs.ofHost(List.of(), List.of()).resolve(ByteString.of("sh"));

        assertThat(Files.isExecutable(shell.target())).isTrue();
        assertThat(shell.target()).isEqualTo(shell.target().toRealPath());
    }
}
