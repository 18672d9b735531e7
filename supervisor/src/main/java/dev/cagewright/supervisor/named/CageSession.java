package dev.cagewright.supervisor.named;

import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.Optional;

/// The session that a named cage has, or had last.
///
/// @param isAlive does it live?
public record CageSession(SessionId id, boolean isAlive) {
    private static final String FILE = "session";
    private static final int LONGEST = 64;

    /// The one of this cage, as its state says; empty before the first.
    ///
    /// @throws IOException if what is written down there cannot be read, or nobody can tell whether it lives
    public static Optional<CageSession> of(NamedCages cages, String name) throws IOException {
        var file = cages.folders()
                .state()
                .resolve("cages")
                .resolve(NamedCage.requireName(name))
                .resolve(FILE);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            var id = new SessionId(new String(OwnerFile.read(file, LONGEST), StandardCharsets.UTF_8).strip());
            return Optional.of(new CageSession(id, isAlive(cages, id)));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    private static boolean isAlive(NamedCages cages, SessionId id) throws IOException {
        var folder = cages.folders().sessions().resolve(id.value());
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) && new SessionStore(cages.folders()).isAlive(id);
    }

    /// Does this cage live now?
    public static boolean isUp(NamedCages cages, String name) throws IOException {
        return of(cages, name).filter(CageSession::isAlive).isPresent();
    }
}
