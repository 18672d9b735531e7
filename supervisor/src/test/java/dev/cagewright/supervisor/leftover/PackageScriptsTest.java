package dev.cagewright.supervisor.leftover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.protect.AfterRun;
import dev.cagewright.sandbox.protect.AfterRun.Finding;
import dev.cagewright.sandbox.protect.AfterRun.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackageScriptsTest {
    private static final ByteString MANIFEST = ByteString.of("sub/package.json");

    @TempDir
    private Path workspace;

    private void write(String text) throws IOException {
        Files.createDirectories(workspace.resolve("sub"));
        Files.writeString(workspace.resolve("sub/package.json"), text);
    }

    private PackageScripts before() {
        return PackageScripts.of(workspace, List.of(MANIFEST));
    }

    @Test
    void other_dependencies_start_what_was_started_before() throws IOException {
        write("{\"scripts\": {\"test\": \"jest\"}, \"dependencies\": {}}");
        var before = before();
        write("{\"version\": \"2\", \"scripts\": {\"test\":   \"jest\"}, \"dependencies\": {\"a\": \"1\"}}");
        assertThat(before.isSame(MANIFEST)).isTrue();
    }

    @Test
    void another_script_is_told() throws IOException {
        write("{\"scripts\": {\"test\": \"jest\"}}");
        var before = before();
        write("{\"scripts\": {\"test\": \"jest\", \"postinstall\": \"x\"}}");
        assertThat(before.isSame(MANIFEST)).isFalse();
    }

    @Test
    void a_new_file_is_told_if_it_starts_something() throws IOException {
        var before = before();
        write("{\"name\": \"a\"}");
        assertThat(before.isSame(MANIFEST)).isTrue();
        write("{\"scripts\": {}}");
        assertThat(before.isSame(MANIFEST)).isFalse();
    }

    @Test
    void what_cannot_be_judged_is_told() throws IOException {
        write("{\"name\": \"a\"}");
        var before = before();
        for (String text : List.of("{", "[]", "{\"a\": \"" + "x".repeat(300_000) + "\"}")) {
            write(text);
            assertThat(before.isSame(MANIFEST)).isFalse();
        }
        Files.delete(workspace.resolve("sub/package.json"));
        Files.createSymbolicLink(workspace.resolve("sub/package.json"), Path.of("/etc/passwd"));
        assertThat(before.isSame(MANIFEST)).isFalse();
        assertThat(before.isSame(ByteString.of("sub/Makefile"))).isFalse();
    }

    @Test
    void ten_lines_are_told_and_all_are_kept() throws IOException {
        var findings = new ArrayList<Finding>();
        for (int i = 0; i < 14; i++) {
            findings.add(new Finding(Kind.EXECUTABLE, ByteString.of("bin/" + i), "is executable"));
        }
        findings.add(new Finding(Kind.REPOSITORY, ByteString.of("evil/.git"), "is a new repository"));
        var left = Leftover.of(new AfterRun(findings, 14, /* complete= */ false), before());
        assertThat(Leftover.isKept(workspace)).isFalse();
        left.store(workspace);
        assertThat(Leftover.load(workspace)).isEqualTo(left);
        assertThat(left.told("abc"))
                .hasSize(12)
                .startsWith("evil/.git: is a new repository", "bin/0: is executable")
                .endsWith(
                        "5 more that the host would execute or obey: cagewright changes abc",
                        "the workspace is too large or could not be read everywhere: what the run left there was not"
                                + " all looked at");
    }
}
