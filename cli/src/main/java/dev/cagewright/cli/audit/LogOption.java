package dev.cagewright.cli.audit;

import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/// Which log is meant.
final class LogOption {
    @Option(
            names = {"--log", "--audit"},
            paramLabel = "LOG",
            description = "The log; by default the one of your state folder.")
    private Optional<Path> log = Optional.empty();

    Path path(StateFolders folders) throws IOException {
        return log.isPresent() ? log.get().toAbsolutePath() : folders.auditLog();
    }
}
