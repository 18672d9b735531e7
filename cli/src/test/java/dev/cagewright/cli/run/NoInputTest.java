package dev.cagewright.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The product as a process of its own, whose input nobody ends unless the test says so.
class NoInputTest {
    @TempDir
    private Path folder;

    private Process started(String... words) throws IOException {
        var line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.cagewright.cli.Main"));
        line.addAll(Arrays.asList(words));
        var builder = new ProcessBuilder(line)
                .directory(Files.createDirectories(folder.resolve("ws")).toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
        builder.environment().put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        return builder.start();
    }

    private static String said(Process process) throws IOException, InterruptedException {
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue() + " " + out;
    }

    @Test
    void a_program_without_input_ends_though_nobody_ends_that_of_its_command()
            throws IOException, InterruptedException {
        var process = started("run", "--no-input", "--json", "--", "cat");
        try {
            assertThat(said(process)).startsWith("0 ").contains("\"stdout\":\"\"");
        } finally {
            process.getOutputStream().close();
        }
    }

    @Test
    void a_program_with_input_has_that_of_its_command() throws IOException, InterruptedException {
        var process = started("run", "--json", "--", "cat");
        try (var in = process.getOutputStream()) {
            in.write("as it came".getBytes(StandardCharsets.US_ASCII));
        }
        assertThat(said(process)).startsWith("0 ").contains("\"stdout\":\"as it came\"");
    }
}
