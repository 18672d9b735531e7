package dev.cagewright.mcp.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.mcp.http.HttpDoor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The suite and the clients come from the registry of packages and stay in `target/`. Where it cannot be reached the
/// script's line says so, and the test fails: nothing is known of the doors then.
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class RefereesTest {
    private static final Path TOOLS =
            Path.of("..", "tools", "mcp").toAbsolutePath().normalize();
    private static final Path PACKAGES = Path.of("target", "mcp-packages").toAbsolutePath();

    private static List<String> said(String script, List<String> words) throws IOException, InterruptedException {
        var command = new ArrayList<>(
                List.of("python3", TOOLS.resolve(script).toString(), "--packages", PACKAGES.toString()));
        command.addAll(words);
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        var process = builder.start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.lines().toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2026-07-28"})
    void what_a_version_requires_passes_the_official_suite(String version, @TempDir Path folder)
            throws IOException, InterruptedException, JsonSyntaxException {
        try (var door =
                HttpDoor.unix(new ConformanceOffer(), folder.resolve("s").resolve("mcp"))) {
            var said =
                    said("conformance.py", List.of(door.socket().orElseThrow().toString(), version));

            assertThat(said).contains(version + "  all that is required passes").hasSizeGreaterThan(30);
        }
    }

    @Test
    void the_official_clients_start_a_server_and_use_it() throws IOException, InterruptedException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();

        served(said(
                "peers.py",
                List.of(
                        "stdio",
                        java,
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServeConformance.class.getName())));
    }

    @Test
    void the_official_clients_use_a_server_over_http() throws IOException, InterruptedException, JsonSyntaxException {
        var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (var door = HttpDoor.loopback(new ConformanceOffer(), loopback)) {
            served(said("peers.py", List.of("http", door.url(), door.token().orElseThrow())));
        }
    }

    private static void served(List<String> said) {
        clients(said, "v1", "v2", "v2-auto")
                .allSatisfy(line -> assertThat(line)
                        .contains("\"tools\":28", "\"steps\":[0,50,100]", "\"refused\":-32602", "\"cancelled\":\"yes\"")
                        .contains("ann@example.test", "\"after\":1"));
        clients(said, "v2-auto").allSatisfy(line -> assertThat(line).contains("\"version\":\"2026-07-28\""));
        clients(said, "v2").allSatisfy(line -> assertThat(line).contains("\"version\":\"2025-11-25\""));
        clients(said, "java")
                .allSatisfy(line -> assertThat(line)
                        .contains("\"version\":\"2025-11-25\",\"tools\":28", "ann@example.test", "\"after\":5"));
        clients(said, "inspector-legacy", "inspector-modern")
                .allSatisfy(line -> assertThat(line).contains("This is a simple text response for testing."));
    }

    private static ListAssert<String> clients(List<String> said, String... names) {
        return assertThat(said.stream()
                        .filter(line -> List.of(names).contains(line.split(" ", -1)[0]))
                        .toList())
                .hasSize(names.length);
    }
}
