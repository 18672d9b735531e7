package dev.cagewright.escape.stage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/// The static C programs of the suite, compiled for the host they run on; tests of other processes may use them at the
/// same time.
///
/// @param probe does the acts, in a cage and outside
/// @param host is what the acts must not reach
public record Programs(Path probe, Path host) {
    private static final Path SOURCES = Path.of("src/test/c").toAbsolutePath();

    public static Programs compile() throws IOException, InterruptedException {
        var target = Files.createDirectories(Path.of("target/probes").toAbsolutePath());
        return new Programs(
                compile(SOURCES.resolve("probes"), target.resolve("probe")),
                compile(SOURCES.resolve("host"), target.resolve("host")));
    }

    private static Path compile(Path folder, Path program) throws IOException, InterruptedException {
        var half = program.resolveSibling(
                program.getFileName() + "-" + ProcessHandle.current().pid());
        var command = new ArrayList<>(List.of("cc", "-std=gnu17", "-O1", "-static", "-pthread"));
        command.addAll(List.of("-Wall", "-Wextra", "-Werror", "-o", half.toString()));
        try (var sources = Files.list(folder)) {
            sources.map(Path::toString)
                    .filter(name -> name.endsWith(".c"))
                    .sorted()
                    .forEach(command::add);
        }
        Command.output(command, folder);
        return Files.move(half, program, StandardCopyOption.ATOMIC_MOVE);
    }
}
