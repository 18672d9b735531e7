package dev.cagewright.cli.token;

import dev.cagewright.policy.token.TokenKey;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.token.RevocationFile;
import dev.cagewright.supervisor.token.TokenFiles;
import dev.cagewright.supervisor.token.TokenOffice;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import picocli.CommandLine.Option;

/// The host's key, the list of what is revoked under it, and the log that says what was done with it.
final class KeyOption {
    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(
            names = "--key-hex",
            paramLabel = "FILE",
            required = true,
            description = "The host's key, as token keygen writes it.")
    private Path file = Path.of("");

    @Option(
            names = {"--revocation-file", "--revocations"},
            paramLabel = "FILE",
            description = "The signed list of what is revoked; by default that of the key in your state folder.")
    private Optional<Path> revocations = Optional.empty();

    @Option(names = "--audit", paramLabel = "LOG", description = "The log; by default the one of your state folder.")
    private Optional<Path> audit = Optional.empty();

    /// The same with another list.
    KeyOption at(Path list) {
        var other = new KeyOption();
        other.file = file;
        other.audit = audit;
        other.revocations = Optional.of(list);
        return other;
    }

    /// The caller closes it.
    TokenKey key() throws IOException {
        return TokenFiles.key(file.toAbsolutePath());
    }

    RevocationFile revocations(StateFolders folders, TokenKey key) throws IOException {
        return RevocationFile.of(folders, key, revocations, InstantSource.system());
    }

    TokenOffice office(StateFolders folders, TokenKey key) throws IOException {
        var log = audit.isPresent() ? audit.get().toAbsolutePath() : folders.auditLog();
        return new TokenOffice(key, revocations(folders, key), TokenOffice.Ledger.in(log), "host");
    }
}
