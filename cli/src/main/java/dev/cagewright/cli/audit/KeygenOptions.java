package dev.cagewright.cli.audit;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/// The options of `audit keygen`.
final class KeygenOptions {
    @Option(names = "--out-prefix", paramLabel = "PREFIX", description = "Where the keys go.")
    private Optional<Path> prefix = Optional.empty();

    @Option(names = "--seal", description = "Make a seal key, and seal the log with it.")
    private boolean seal;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    Optional<Path> prefix() {
        return prefix;
    }

    boolean isSeal() {
        return seal;
    }

    boolean json() {
        return json;
    }
}
