package dev.cagewright.cli.run;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.token.TokenFault;
import dev.cagewright.policy.token.TokenJudge;
import dev.cagewright.policy.token.TokenKey;
import dev.cagewright.policy.token.Verification;
import dev.cagewright.supervisor.counter.HeldToken;
import dev.cagewright.supervisor.session.Session;
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
    private final Optional<Verifying> verifying;

    private TokenChoice(Optional<TokenJudge> judge, Optional<Verifying> verifying) {
        this.judge = judge;
        this.verifying = verifying;
    }

    /// What was presented, and what it was verified with.
    private record Verifying(ByteString text, TokenKey key, RevocationFile list) {
        /// The text is a bearer secret.
        @Override
        public String toString() {
            return "what is verified with key " + key.id();
        }
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
            return new TokenChoice(
                    Optional.of(TokenJudge.of(TokenOffice.verifier(key, list), text)),
                    Optional.of(new Verifying(ByteString.copyOf(text), key, list)));
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

    /// Lets the cage of `session` hand parts of the token on; a token that was refused has none.
    void handOn(Session session) {
        var token = judge.flatMap(TokenJudge::token);
        if (token.isEmpty() || verifying.isEmpty()) {
            return;
        }
        var with = verifying.get();
        var id = session.id().value();
        var office = new TokenOffice(with.key(), with.list(), session::note, id);
        session.handOn(new HeldToken(office, token.get(), with.text().toByteArray(), id));
    }

    @Override
    public void close() {
        verifying.ifPresent(with -> with.key().close());
    }
}
