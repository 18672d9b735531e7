package dev.cagewright.lent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What does not hold is said by the script's own line. A client that this machine does not have is skipped with that
/// reason.
class SecretsProofTest {
    private static final Path SCRIPT = Path.of("..", "tools", "secrets", "secrets_proof.py")
            .toAbsolutePath()
            .normalize();

    private record Said(int code, String text) {}

    private static Said run(String... words) throws IOException, InterruptedException {
        var command = Stream.concat(Stream.of("python3", SCRIPT.toString()), Stream.of(words));
        var process =
                new ProcessBuilder(command.toList()).redirectErrorStream(true).start();
        process.getOutputStream().close();
        var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text);
    }

    static List<String> trials() throws IOException, InterruptedException {
        return run("--list").text().lines().toList();
    }

    @ParameterizedTest
    @MethodSource("trials")
    void I2_keys_arrive_where_they_may_and_are_seen_nowhere_else(String trial)
            throws IOException, InterruptedException {
        var said = run(trial);
        assumeFalse(said.text().startsWith(trial + ": missing: "), said.text());
        assertThat(said.text()).startsWith(trial + ": holds");
        assertThat(said.code()).as(said.text()).isZero();
    }
}
