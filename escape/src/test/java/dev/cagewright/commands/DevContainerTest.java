package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The feature for dev containers, installed below another root from an archive of the form that `dist/build` makes.
class DevContainerTest {
    private static final Path FEATURE =
            Path.of("..", "dist", "devcontainer-feature").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway") // set before each test
    private Desk desk;

    @BeforeEach
    void pack() throws IOException, InterruptedException {
        desk = Desk.in(folder.toRealPath())
                .with("FEATURE", FEATURE.toString())
                .with("TOP", folder.toRealPath().toString())
                .with("CAGEWRIGHT_ROOT", folder.toRealPath().resolve("image").toString());
        var packed = desk.shell("""
                cd "$TOP" && mkdir -p made/cagewright-0-linux-x86_64/runtime image/etc &&
                printf '#!/bin/sh\\necho started\\n' > made/cagewright-0-linux-x86_64/cagewright &&
                tar -C made -czf product.tar.gz cagewright-0-linux-x86_64 && mkdir feature && cp "$FEATURE"/* feature/ &&
                echo '# mine' > image/etc/bash.bashrc
                """);
        assertThat(packed.exit()).as(packed.toString()).isZero();
    }

    private Desk.Result install(String variables) throws IOException, InterruptedException {
        return desk.shell("cd / && " + variables + " sh \"$TOP/feature/install.sh\"");
    }

    @Test
    void it_installs_the_archive_again_and_again() throws IOException, InterruptedException {
        for (int i = 0; i < 2; i++) {
            var result = install("ARCHIVE=\"$TOP/product.tar.gz\" AGENTS='claude-code codex'"
                    + " SHA256=$(sha256sum < \"$TOP/product.tar.gz\" | cut -c1-64)");
            assertThat(result.exit()).as(result.toString()).isZero();
        }
        var image = desk.root().resolve("image");
        assertThat(Files.isExecutable(image.resolve("opt/cagewright/cagewright")))
                .isTrue();
        assertThat(Files.readSymbolicLink(image.resolve("usr/local/bin/cagewright")))
                .hasToString("/opt/cagewright/cagewright");
        assertThat(Files.readAllLines(image.resolve("etc/bash.bashrc")))
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("# mine"),
                        line -> assertThat(line).contains("$(cagewright shell-init bash claude-code codex)"));
        assertThat(image.resolve("etc/zsh/zshrc")).content().contains("shell-init zsh");
    }

    @Test
    void it_refuses_another_archive_and_a_name_that_is_none() throws IOException, InterruptedException {
        assertThat(install("").err()).contains("there is no archive", "/feature/cagewright.tar.gz");
        var other = install("ARCHIVE=\"$TOP/product.tar.gz\" SHA256=00");
        assertThat(other.exit()).isEqualTo(1);
        assertThat(other.err()).contains("has the digest", "(expected: 00)");
        assertThat(install("ARCHIVE=\"$TOP/product.tar.gz\" AGENTS='x;reboot'").err())
                .contains("is no scaffold's name");
        assertThat(install("ARCHIVE=\"$TOP/made\"").exit()).isEqualTo(1);
        assertThat(desk.root().resolve("image/opt")).doesNotExist();
    }

    @Test
    void its_description_has_what_the_format_requires_and_the_options_that_the_script_reads()
            throws IOException, JsonSyntaxException {
        var json = (JsonObject) Json.parse(Files.readAllBytes(FEATURE.resolve("devcontainer-feature.json")));

        assertThat(json.text("id")).contains("cagewright");
        assertThat(json.text("version").orElseThrow()).matches("[0-9]+\\.[0-9]+\\.[0-9]+");
        assertThat(json.text("name")).isPresent();
        assertThat(((JsonObject) json.member("options").orElseThrow()).members().keySet())
                .containsExactlyInAnyOrder("archive", "sha256", "agents");
        assertThat(FEATURE.resolve("install.sh")).content().contains("${ARCHIVE:-", "${SHA256:-", "${AGENTS:-");
    }
}
