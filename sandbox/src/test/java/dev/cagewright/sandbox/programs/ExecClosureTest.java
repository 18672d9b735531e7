package dev.cagewright.sandbox.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.cagewright.sandbox.programs.ExecClosure.ExecPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExecClosureTest {
    @TempDir
    private Path root;

    private Path write(String path, byte[] content) throws IOException {
        var file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path script(String path, String firstLine) throws IOException {
        return write(path, (firstLine + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private void link(String path, String leadsTo) throws IOException {
        Files.createDirectories(root.resolve(path).getParent());
        Files.createSymbolicLink(root.resolve(path), Path.of(leadsTo));
    }

    private ExecClosure closure(String... names) {
        return ExecClosure.of(List.of(names), Programs.below(root, List.of(), List.of()));
    }

    private static ExecClosure ofHost(String... names) {
        return ExecClosure.of(List.of(names), Programs.ofHost(List.of(), List.of()));
    }

    @Test
    void a_dynamic_program_needs_its_loader_and_says_so() {
        var closure = ofHost("true");

        assertThat(closure.paths()).hasSize(2);
        assertThat(closure.paths())
                .extracting(ExecPath::why)
                .contains("allowed as true", "the loader of dynamic programs such as /usr/bin/true");
        assertThat(closure.hostPaths()).allMatch(Files::isExecutable);
    }

    @Test
    void B174_an_allowed_python3_covers_the_file_behind_it() throws Exception {
        var closure = ofHost("python3");

        assertThat(closure.hostPaths()).contains(Path.of("/usr/bin/python3").toRealPath());
        assertThat(closure.hostPaths()).doesNotContain(Path.of("/bin/sh").toRealPath());
        assertThat(closure.warnings())
                .contains(
                        "python3 starts sh for subprocess with shell=True; add sh to exec.allowlist if that is wanted");
    }

    @Test
    void a_version_of_an_allowed_name_is_covered_and_another_word_is_not() throws Exception {
        script("usr/bin/python3", "#!/bin/sh");
        script("usr/bin/python3.12", "#!/bin/sh");
        script("usr/bin/python3-config", "#!/bin/sh");
        script("usr/bin/python", "#!/bin/sh");

        assertThat(closure("python3").hostPaths())
                .containsExactly(Path.of("/usr/bin/python3"), Path.of("/usr/bin/python3.12"));
    }

    @Test
    void a_script_for_env_needs_env_and_the_program_it_names() throws Exception {
        script("usr/bin/tool", "#!/usr/bin/env -S NAME=1 node --flag");
        script("usr/bin/env", "");
        script("usr/bin/node", "");

        assertThat(closure("tool").hostPaths())
                .containsExactly(Path.of("/usr/bin/env"), Path.of("/usr/bin/node"), Path.of("/usr/bin/tool"));
    }

    @Test
    void scripts_of_scripts_end() throws Exception {
        script("usr/bin/a", "#!/usr/bin/b");
        script("usr/bin/b", "#!/usr/bin/a");

        var closure = closure("a");

        assertThat(closure.hostPaths()).containsExactly(Path.of("/usr/bin/a"), Path.of("/usr/bin/b"));
    }

    @Test
    void git_brings_its_folder_of_subcommands() {
        var closure = ofHost("git");

        assertThat(closure.paths()).anySatisfy(path -> {
            assertThat(path.path()).isEqualTo(Path.of("/usr/lib/git-core"));
            assertThat(path.extent()).isEqualTo(ExecClosure.Extent.TREE);
            assertThat(path.why()).isEqualTo("git: git starts its subcommands from there");
        });
    }

    @Test
    void the_compiler_brings_its_passes_the_assembler_and_the_linker() throws Exception {
        var paths = ofHost("gcc").hostPaths();

        assertThat(paths)
                .contains(
                        Path.of("/usr/bin/gcc").toRealPath(),
                        Path.of("/usr/bin/as").toRealPath(),
                        Path.of("/usr/bin/ld").toRealPath());
        assertThat(paths).anyMatch(path -> path.startsWith("/usr/lib/gcc"));
    }

    @Test
    void java_brings_the_folder_of_its_own_installation_only() throws Exception {
        var bin = Path.of("/usr/bin/java").toRealPath().resolve("..").normalize();

        var closure = ofHost("java");

        assertThat(closure.hostPaths())
                .contains(bin, bin.resolve("../lib/jspawnhelper").normalize());
        assertThat(closure.hostPaths()).doesNotContain(bin.resolve("..").normalize());
    }

    @Test
    void a_missing_program_is_listed_with_its_reason_and_the_rest_holds() {
        var closure = ofHost("true", "no-such-program-here");

        assertThat(closure.hostPaths()).isNotEmpty();
        assertThat(closure.missing())
                .singleElement()
                .asString()
                .startsWith("program \"no-such-program-here\": not on the cage's PATH");
    }

    @Test
    void B123_a_multi_call_binary_is_named_with_all_its_tools() throws Exception {
        script("usr/bin/busybox", "");
        link("usr/bin/ls", "busybox");
        link("usr/bin/dd", "busybox");
        link("usr/bin/head", "busybox");

        assertThat(closure("ls").warnings())
                .contains("/usr/bin/ls is one file (/usr/bin/busybox) with dd, head: allowing one allows all of them");
    }

    @Test
    void B123_tools_that_are_hard_links_of_one_file_are_found_too() throws Exception {
        var tool = script("usr/bin/ls", "");
        Files.createLink(root.resolve("usr/bin/dd"), tool);

        assertThat(closure("ls").warnings())
                .contains("/usr/bin/ls is one file (/usr/bin/ls) with dd: allowing one allows all of them");
        assertThat(closure("ls", "dd").warnings()).noneMatch(sentence -> sentence.contains("one file"));
    }

    @Test
    void B123_versions_of_one_program_are_no_multi_call_binary() throws Exception {
        script("usr/bin/python3.11", "#!/usr/bin/python3.11");
        link("usr/bin/python3", "python3.11");
        link("usr/bin/python", "python3");

        assertThat(closure("python3").warnings()).noneMatch(sentence -> sentence.contains("one file"));
    }

    @Test
    void broken_headers_are_a_warning_and_never_a_crash() throws Exception {
        var random = new Random(4);
        var whole = Files.readAllBytes(Path.of("/bin/true").toRealPath());
        for (int round = 0; round < 300; round++) {
            var bytes = Arrays.copyOf(whole, random.nextInt(5, 4096));
            for (int flip = 0; flip < 8; flip++) {
                bytes[4 + random.nextInt(Math.min(bytes.length - 4, 200))] = (byte) random.nextInt();
            }
            write("usr/bin/broken", bytes);
            assertThatNoException().isThrownBy(() -> closure("broken"));
        }
        write("usr/bin/empty", new byte[0]);
        assertThat(closure("empty").warnings())
                .containsExactly("/usr/bin/empty is neither an ELF file nor a script: only a shell starts it");
    }

    @Test
    void the_same_allowlist_gives_the_same_closure_in_any_order() {
        assertThat(ofHost("git", "true").hostPaths())
                .isEqualTo(ofHost("true", "git").hostPaths());
    }
}
