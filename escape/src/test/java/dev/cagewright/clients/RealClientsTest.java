package dev.cagewright.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What stopped working in the cage is said by the script's own line. A client that this machine does not have, or
/// whose registry cannot be reached from it, is skipped with that reason.
class RealClientsTest {
    private static final Path SCRIPT =
            Path.of("..", "tools", "clients", "clients.py").toAbsolutePath().normalize();
    private static final String PUSH = "git, 60 MB push";

    /// Four times that passes one supervisor, which may hold half of it.
    private static final String MEBIBYTES = "512";

    private record Said(int code, String text) {}

    private static Said run(String... words) throws IOException, InterruptedException {
        var command = Stream.concat(Stream.of("python3", SCRIPT.toString()), Stream.of(words));
        var process =
                new ProcessBuilder(command.toList()).redirectErrorStream(true).start();
        process.getOutputStream().close();
        var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text);
    }

    static List<String> clients() throws IOException, InterruptedException {
        return run("--list").text().lines().filter(name -> !name.equals(PUSH)).toList();
    }

    @ParameterizedTest
    @MethodSource("clients")
    void it_works_where_it_may_and_is_told_where_not(String client) throws IOException, InterruptedException {
        works(client);
    }

    @Test
    void B040_a_big_git_push_streams_and_its_path_is_judged() throws IOException, InterruptedException {
        works(PUSH);
    }

    private static void works(String client) throws IOException, InterruptedException {
        var said = run("--mib", MEBIBYTES, client);
        assumeFalse(said.text().startsWith(client + ": missing: "), said.text());
        assertThat(said.text()).startsWith(client + ": works");
        assertThat(said.code()).as(said.text()).isZero();
    }
}
