package dev.cagewright.guests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.escape.stage.Person;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The official suite and the official clients at a server that is wrapped by the packaged product, or behind its
/// gateway: they see what they see without it. The server has the tools, prompts and resources that the suite expects;
/// the suite and the clients come from the registries, and stay in the `target/` of the module `mcp`.
@Timeout(600)
class OfficialClientsTest {
    private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
    private static final Path TOOLS = CHECKOUT.resolve("tools/mcp");
    private static final Path PACKAGES = CHECKOUT.resolve("mcp/target/mcp-packages");
    private static final String SERVER = "dev.cagewright.mcp.conformance.ServeConformance";

    @TempDir
    Path root;

    private final Path java = Path.of(System.getProperty("java.home"), "bin", "java");

    private Path workspace() {
        return root.resolve("workspace");
    }

    /// The server's classes, where its cage may have them.
    private Path library() {
        return root.resolve("library");
    }

    private List<String> server() {
        return List.of(java.toString(), "-cp", library() + "/*:" + library(), SERVER);
    }

    /// Clients start servers with `HOME` and `PATH` and little else, so what is configured lies below the home.
    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectories(workspace());
        copy(CHECKOUT.resolve("mcp/target/test-classes/dev/cagewright/mcp/conformance"));
        try (var jars = Files.list(WrappedServer.PRODUCT.resolveSibling("cli/target/product/lib"))) {
            for (Path jar : jars.toList()) {
                Files.copy(jar, library().resolve(jar.getFileName()));
            }
        }
        var policies = Files.createDirectories(root.resolve("home/.config/cagewright/policies"));
        Files.writeString(policies.resolve("mcp-conf.yaml"), """
                tool: mcp-conf
                fs:
                  mounts:
                    - {path: /workspace, mode: rw}
                    - {path: "%s", mode: ro}
                net: {mode: none}
                mcp:
                  tools: ["*"]
                  requests: {sampling: allow, roots: allow, elicitation: allow}
                """.formatted(library()));
    }

    private void copy(Path classes) throws IOException {
        var there = Files.createDirectories(library().resolve("dev/cagewright/mcp/conformance"));
        try (var files = Files.list(classes)) {
            for (Path file : files.toList()) {
                Files.copy(file, there.resolve(file.getFileName()));
            }
        }
    }

    private ProcessBuilder as(Person person, List<String> command) throws IOException {
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        person.own(root);
        var builder =
                new ProcessBuilder(person.does(command)).directory(workspace().toFile());
        builder.environment().put("HOME", root.resolve("home").toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().keySet().removeIf(name -> name.startsWith("XDG_"));
        if (person.uid() != Person.self()) {
            builder.environment().put("PATH", "/usr/bin:/bin");
        }
        return builder;
    }

    private List<String> said(Person person, String script, List<String> words)
            throws IOException, InterruptedException {
        var command = new ArrayList<>(
                List.of("python3", TOOLS.resolve(script).toString(), "--packages", PACKAGES.toString()));
        command.addAll(words);
        var process = as(person, command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.lines().toList();
    }

    private static List<String> product(String... words) {
        var command = new ArrayList<>(List.of(WrappedServer.PRODUCT.toString(), "mcp"));
        command.addAll(List.of(words));
        return command;
    }

    @Test
    void the_official_suite_finds_a_wrapped_server_as_it_is() throws IOException, InterruptedException {
        var self = Person.present().getFirst();
        var socket = root.resolve("s/mcp");
        var command = product("wrap", "--policy", "mcp-conf", "--workspace", ".", "--unix", socket.toString(), "--");
        command.addAll(server());
        var log = root.resolve("wrap.log");
        var wrap = as(self, command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            while (!Files.exists(socket)) {
                assertThat(wrap.waitFor(20, TimeUnit.MILLISECONDS))
                        .as(Files.readString(log))
                        .isFalse();
            }
            assertThat(said(self, "conformance.py", List.of(socket.toString())))
                    .contains("2025-11-25  all that is required passes", "2026-07-28  all that is required passes")
                    .filteredOn(line -> line.contains(", ") && line.contains(" not: "))
                    .allSatisfy(line -> assertThat(line).contains("  tasks-"));
        } finally {
            wrap.destroy();
            assertThat(wrap.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void the_official_clients_use_a_server_that_an_ordinary_user_wrapped() throws IOException, InterruptedException {
        said(Person.present().getFirst(), "peers.py", List.of("--install"));
        var words = new ArrayList<>(List.of("stdio"));
        words.addAll(product("wrap", "--policy", "mcp-conf", "--workspace", ".", "--"));
        words.addAll(server());

        served(said(Person.present().getLast(), "peers.py", words), "\"server\":\"conformance\"");
    }

    @Test
    void the_official_clients_use_a_server_behind_a_gateway() throws IOException, InterruptedException {
        Files.writeString(workspace().resolve(".mcp.json"), """
                {"mcpServers": {"conf": {"command": "%s", "args": ["-cp", "%s", "%s"]}}}
                """.formatted(java, server().get(2), SERVER));
        var words = new ArrayList<>(List.of("--server", "conf", "stdio"));
        words.addAll(product("gateway", "--workspace", "."));

        served(said(Person.present().getFirst(), "peers.py", words), "\"server\":\"cagewright-gateway\"");
    }

    private static void served(List<String> said, String name) {
        clients(said, "v1", "v2", "v2-auto")
                .allSatisfy(line -> assertThat(line)
                        .contains("\"tools\":28", "\"steps\":[0,50,100]", "\"refused\":-32602", "\"cancelled\":\"yes\"")
                        .contains(name, "ann@example.test", "static text resource", "simple prompt", "\"after\":1"));
        clients(said, "v2-auto").allSatisfy(line -> assertThat(line).contains("\"version\":\"2026-07-28\""));
        clients(said, "java")
                .allSatisfy(line -> assertThat(line)
                        .contains("\"version\":\"2025-11-25\",\"tools\":28", "ann@example.test", "\"after\":5"));
        clients(said, "inspector-legacy", "inspector-modern")
                .allSatisfy(line -> assertThat(line)
                        .contains("This is a simple text response for testing.", "dev.cagewright/decision"));
    }

    private static ListAssert<String> clients(List<String> said, String... names) {
        return assertThat(said.stream()
                        .filter(line -> List.of(names).contains(line.split(" ", -1)[0]))
                        .toList())
                .hasSize(names.length);
    }
}
