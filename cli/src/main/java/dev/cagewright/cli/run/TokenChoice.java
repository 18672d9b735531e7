package dev.cagewright.cli.run;

import dev.cagewright.policy.token.TokenFault;
import dev.cagewright.policy.token.TokenJudge;
import dev.cagewright.policy.token.TokenKey;
import dev.cagewright.policy.token.Verification;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.token.RevocationFile;
import dev.cagewright.supervisor.token.TokenFiles;
import dev.cagewright.supervisor.token.TokenOffice;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/// The token that something is done under, and the key it is verified with, which stays here. Whoever made it closes
/// it.
public final class TokenChoice implements AutoCloseable {
    private final Optional<TokenJudge> judge;
    private final Optional<TokenKey> key;

    private TokenChoice(Optional<TokenJudge> judge, Optional<TokenKey> key) {
        this.judge = judge;
        this.key = key;
    }

    /// The files that were named.
    ///
    /// @param token empty where nothing is done under one
    /// @param revocations empty for the list of the state folder
    public record Files(Optional<String> token, Optional<String> key, Optional<String> revocations) {}

    /// Reads what was named. A token without a key is never waved through: it is refused, on the record.
    ///
    /// @throws IOException if a file cannot be read
    public static TokenChoice of(Files files, StateFolders folders) throws IOException {
        if (files.token().isEmpty()) {
            if (files.key().isPresent() || files.revocations().isPresent()) {
                throw new IllegalArgumentException("--key-hex, --revocation-file: there is no --token to verify");
            }
            return new TokenChoice(Optional.empty(), Optional.empty());
        }
        var text = TokenFiles.read(files.token().get());
        if (files.key().isEmpty()) {
            var refused = new Verification.Refused(
                    TokenFault.NO_KEY, "a token was presented without a key to verify it: name it with --key-hex");
            return new TokenChoice(Optional.of(TokenJudge.refusing(refused)), Optional.empty());
        }
        return verified(text, TokenFiles.key(absolute(files.key().get())), files, folders);
    }

    private static TokenChoice verified(byte[] text, TokenKey key, Files files, StateFolders folders)
            throws IOException {
        try {
            var list = RevocationFile.of(
                    folders, key, files.revocations().map(TokenChoice::absolute), InstantSource.system());
            return new TokenChoice(Optional.of(TokenJudge.of(TokenOffice.verifier(key, list), text)), Optional.of(key));
        } catch (IOException | RuntimeException e) {
            key.close();
            throw e;
        }
    }

    private static Path absolute(String file) {
        return Path.of(file).toAbsolutePath();
    }

    /// What was presented, as a judge; empty where nothing was.
    public Optional<TokenJudge> judge() {
        return judge;
    }

    @Override
    public void close() {
        key.ifPresent(TokenKey::close);
    }
}
