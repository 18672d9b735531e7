package dev.cagewright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which options the launcher gives the JVM; the JVM is a script that prints its words.
class LauncherTest {
    private static final String LONG = "jvm-options-long";

    @TempDir
    private Path place;

    @BeforeEach
    void install() throws IOException {
        Files.copy(Path.of("..", "cagewright"), place.resolve("cagewright"));
        var java = Files.createDirectories(place.resolve("runtime/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        for (var file : List.of(java, place.resolve("cagewright"))) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        var named = Files.createDirectories(place.resolve("config/cagewright/policies"));
        Files.writeString(named.resolve("npm.yaml"), "net:\n  registries: [npm]\n");
        Files.writeString(place.resolve("hosts.yaml"), "net:\n  hosts: [{host: a.test}]\n");
        Files.writeString(place.resolve("flow.yaml"), "net: {registries: [npm]}\n");
        Files.writeString(place.resolve("none.yaml"), "net:\n  mode: none\n");
    }

    private List<String> words(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(place.resolve("cagewright").toString()));
        command.addAll(List.of(arguments));
        var out = place.resolve("out");
        var builder = new ProcessBuilder(command).directory(place.toFile()).redirectOutput(out.toFile());
        builder.environment()
                .putAll(Map.of("XDG_CONFIG_HOME", place.resolve("config").toString()));
        assertThat(builder.start().waitFor()).isZero();
        return Files.readAllLines(out, StandardCharsets.UTF_8);
    }

    private String longOptions() {
        return "@" + place.resolve("libexec").resolve(LONG);
    }

    @ParameterizedTest
    @ValueSource(strings = {"./hosts.yaml", "./flow.yaml", "npm"})
    void a_run_whose_policy_lists_hosts_has_the_optimising_compiler(String policy)
            throws IOException, InterruptedException {
        assertThat(words("run", "--policy", policy, "--", "true")).containsSubsequence(longOptions(), "run", "true");
        assertThat(words("run", "-q", "--policy=" + policy, "--", "true")).contains(longOptions());
    }

    @ParameterizedTest
    @ValueSource(strings = {"./none.yaml", "./gone.yaml", "gone", "-", ""})
    void another_run_has_not(String policy) throws IOException, InterruptedException {
        assertThat(words("run", "--policy", policy, "--", "true"))
                .doesNotContain(longOptions())
                .containsSubsequence("run", "--policy", policy, "--", "true");
    }

    @Test
    void what_the_program_is_told_is_not_looked_at() throws IOException, InterruptedException {
        assertThat(words("run", "--", "tool", "--policy", "./hosts.yaml")).doesNotContain(longOptions());
        assertThat(words("policy", "validate", "./hosts.yaml")).doesNotContain(longOptions());
        assertThat(words("run", "--policy")).doesNotContain(longOptions());
        assertThat(words()).doesNotContain(longOptions());
    }
}
