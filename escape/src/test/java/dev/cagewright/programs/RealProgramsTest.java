package dev.cagewright.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What stopped working in the cage is said by the script's own line. A program that this machine does not have is
/// skipped with that reason.
class RealProgramsTest {
    private static final Path SCRIPT =
            Path.of("..", "tools", "programs.py").toAbsolutePath().normalize();

    @ParameterizedTest
    @ValueSource(strings = {"bash", "git, own repository", "python3", "gcc", "make", "tar"})
    void it_works_free_and_with_an_allowlist(String program) throws IOException, InterruptedException {
        var process = new ProcessBuilder("python3", SCRIPT.toString(), program)
                .redirectErrorStream(true)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();

        assumeFalse(said.contains("not on this machine"), program + " is not on this machine");
        assertThat(said).as(said).contains("listed: works");
        assertThat(code).as(said).isZero();
    }
}
