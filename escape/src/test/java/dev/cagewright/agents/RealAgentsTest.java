package dev.cagewright.agents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The agents come from the registry of packages and stay in `target/`, some 400 MB each. Where it cannot be reached
/// the
/// script's line says so, and the test fails: nothing is known of the agents then.
class RealAgentsTest {
    private static final Path SCRIPT =
            Path.of("..", "tools", "agents", "agents.py").toAbsolutePath().normalize();
    private static final Path PACKAGES = Path.of("target", "agents").toAbsolutePath();

    @ParameterizedTest
    @ValueSource(strings = {"claude-code", "codex"})
    void an_agent_reads_runs_and_writes_with_a_decoy_and_reports_what_it_was_denied(String agent)
            throws IOException, InterruptedException {
        var process = new ProcessBuilder(
                        "python3", SCRIPT.toString(), "--prompt", "--lean", "--packages", PACKAGES.toString(), agent)
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(said)
                .startsWith(agent + " ")
                .contains("works without a terminal", "key real at the model and a decoy in the cage")
                .doesNotContain("fails");
        assertThat(process.waitFor()).as(said).isZero();
    }
}
