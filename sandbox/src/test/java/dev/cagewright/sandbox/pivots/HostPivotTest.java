package dev.cagewright.sandbox.pivots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.RelativePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPivotTest {
    private static RelativePath path(String text) {
        return new RelativePath(ByteString.of(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Makefile",
                "sub/dir/rules.mk",
                ".github/workflows/ci.yml",
                "a/.github/actions/x/action.yml",
                ".husky/pre-commit",
                "web/package.json",
                "web/vite.config.ts",
                ".envrc",
                "site/evil.pth",
                ".mvn/extensions.xml",
                "Dockerfile.dev"
            })
    void names_that_tools_run_are_known_in_every_directory(String name) {
        assertThat(HostPivot.ofName(path(name))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Makefile.am",
                "makefiles",
                "xpackage.json",
                "github/workflow/ci.yml",
                "src/main.c",
                "mk",
                "README"
            })
    void near_misses_are_not(String name) {
        assertThat(HostPivot.ofName(path(name))).isEmpty();
    }

    @Test
    void programs_are_known_by_permission_and_by_first_bytes() {
        assertThat(HostPivot.ofContent(path("a"), 0755, bytes("x"))
                        .orElseThrow()
                        .sentence())
                .isEqualTo("is executable");
        assertThat(HostPivot.ofContent(path("venv/bin/a"), 0755, bytes("x"))
                        .orElseThrow()
                        .sentence())
                .isEqualTo("is executable and stands where programs are looked for by name");
        assertThat(HostPivot.ofContent(path("a"), 0644, bytes("\u007fELF"))
                        .orElseThrow()
                        .sentence())
                .isEqualTo("is a program (ELF) without permission to execute");
        assertThat(HostPivot.ofContent(path("a"), 0644, bytes("#!/b"))
                        .orElseThrow()
                        .sentence())
                .isEqualTo("is a script (#!) without permission to execute");
        assertThat(HostPivot.ofContent(path("bin/a"), 0644, bytes("# !/"))).isEmpty();
        assertThat(HostPivot.ofContent(path("a"), 0644, bytes(""))).isEmpty();
    }

    @Test
    void the_document_has_every_name_of_the_table() throws IOException {
        var document = Files.readString(Path.of("..", "docs", "after-run.md"));
        for (PivotName row : PivotName.TABLE) {
            assertThat(document).contains("`" + String.join("/", row.names()) + "`");
        }
    }
}
