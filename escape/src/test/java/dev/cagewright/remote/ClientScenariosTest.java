package dev.cagewright.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The servers of the official suite, as the packaged product speaks to them. The suite comes from the registry of
/// packages and stays in `target/`; where it cannot be reached the script's line says so, and the test fails.
@Timeout(value = 900, unit = TimeUnit.SECONDS)
class ClientScenariosTest {
    private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();

    @Test
    void what_the_official_suite_asks_of_clients_passes() throws IOException, InterruptedException {
        var process = new ProcessBuilder(List.of(
                        "python3",
                        CHECKOUT.resolve("tools/mcp/conformance_client.py").toString(),
                        "--packages",
                        CHECKOUT.resolve("mcp/target/mcp-packages").toString(),
                        CHECKOUT.resolve("cagewright").toString()))
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said.lines()).hasSize(13).allMatch(line -> line.matches("[a-z0-9_-]+@[0-9-]+ +[1-9][0-9]* passed"));
    }
}
