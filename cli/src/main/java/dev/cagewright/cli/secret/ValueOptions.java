package dev.cagewright.cli.secret;

import dev.cagewright.policy.quantity.TimeSpan;
import dev.cagewright.sandbox.terminal.Terminal;
import dev.cagewright.secrets.store.Refresh;
import dev.cagewright.secrets.value.SecretValue;
import dev.cagewright.supervisor.vault.RawValue;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where a value comes from.
final class ValueOptions {
    @Option(names = "--from-file", paramLabel = "FILE", description = "Take the value from FILE.")
    private @Nullable Path file;

    @Option(
            names = "--from-command",
            paramLabel = "CMD",
            description = "Take what the shell command CMD prints, and run it again whenever the value has expired.")
    private @Nullable String command;

    @Option(
            names = "--expires-in",
            paramLabel = "TIME",
            description = "How long the value is good, for example 1h; after it a run is refused, or CMD asked again.")
    private @Nullable String lasts;

    /// Is there a source that is not a prompt?
    boolean isGiven() {
        return file != null || command != null || !Terminal.at(0).isPresent();
    }

    /// Refuses two sources at once.
    ///
    /// @throws IllegalArgumentException naming both
    void requireOne() {
        if (file != null && command != null) {
            throw new IllegalArgumentException("--from-file and --from-command (expected: one of them)");
        }
    }

    Optional<Duration> lasts() {
        return Optional.ofNullable(lasts)
                .map(text -> TimeSpan.parse("--expires-in", text).value());
    }

    Optional<Refresh> refresh() {
        return Optional.ofNullable(command).map(words -> new Refresh(List.of("/bin/sh", "-c", words), lasts()));
    }

    /// The value, for the caller to close.
    SecretValue value(String name, TerminalPerson person) throws IOException {
        var refresh = refresh();
        if (refresh.isPresent()) {
            return RawValue.of(refresh.get());
        }
        if (file != null) {
            try (var in = Files.newInputStream(file)) {
                return RawValue.of(in);
            }
        }
        return Terminal.at(0).isPresent() ? typed(name, person) : piped();
    }

    private static SecretValue piped() throws IOException {
        return RawValue.of(new FileInputStream(FileDescriptor.in));
    }

    static SecretValue typed(String name, TerminalPerson person) throws IOException {
        var line = person.typed("Value of " + name + " (not shown): ")
                .orElseThrow(() -> new IOException("there is no terminal to ask on"));
        try {
            return RawValue.trimmed(line, line.length);
        } finally {
            Arrays.fill(line, (byte) 0);
        }
    }
}
