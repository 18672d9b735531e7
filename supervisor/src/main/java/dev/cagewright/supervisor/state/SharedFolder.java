package dev.cagewright.supervisor.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/// What a session's cage gets of the product: files and sockets that are mounted. It stands beside the homes of agents,
/// for a cage is told the path of what is mounted, and that of the state is none of its business. Only the person may
/// enter it.
///
/// @param session the session's folder, which no cage has
public record SharedFolder(StateFolders folders, Path session) {
    private static final String OF_SESSION = "session.";

    /// Where it is, if it is there.
    public Path path() {
        return folders.homes().resolve(OF_SESSION + session.getFileName());
    }

    /// Makes it, where it is not there yet.
    public Path make() throws IOException {
        folders.makeHome(path());
        return path();
    }

    /// Removes it, if nothing is in it; a folder of a session that is over is found by whoever prunes.
    public void removeEmpty() {
        try {
            Files.deleteIfExists(path());
        } catch (IOException _) {
            return; // somebody else of the session still needs it
        }
    }

    /// Whose a folder beside the homes is; empty for a home.
    public static Optional<SessionId> whose(Path folder) {
        var name = String.valueOf(folder.getFileName());
        if (!name.startsWith(OF_SESSION) || !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new SessionId(name.substring(OF_SESSION.length())));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
