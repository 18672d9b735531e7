package dev.cagewright.supervisor.resident;

import dev.cagewright.supervisor.named.CageSession;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The session of a named cage, the last one when it is down.
public final class LastSession {
    /// Within the cage's state.
    private static final String FILE = "session";

    private LastSession() {}

    static void write(StateFolders folders, String name, SessionId session) throws IOException {
        var state = NamedCages.of(folders).state(name);
        OwnerFile.write(state.resolve(FILE), (session + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /// Those of all named cages.
    static List<SessionId> all(StateFolders folders) throws IOException {
        var cages = NamedCages.of(folders);
        var all = new ArrayList<SessionId>();
        for (String name : cages.names()) {
            CageSession.of(cages, name).map(CageSession::id).ifPresent(all::add);
        }
        return all;
    }

    /// Empty if the cage never was up, or the session's record is gone.
    public static Optional<SessionRecord> of(StateFolders folders, String name) throws IOException {
        var session = CageSession.of(NamedCages.of(folders), name);
        return session.isPresent()
                ? new SessionStore(folders).find(session.get().id())
                : Optional.empty();
    }
}
