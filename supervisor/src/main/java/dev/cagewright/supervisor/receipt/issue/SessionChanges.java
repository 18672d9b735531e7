package dev.cagewright.supervisor.receipt.issue;

import dev.cagewright.supervisor.copy.SessionCopy;
import dev.cagewright.supervisor.receipt.ChangesStated;
import java.io.IOException;
import java.nio.file.Path;

/// What a session changed in its copies, as a receipt states it.
final class SessionChanges {
    private SessionChanges() {}

    /// @param folder the session's
    static ChangesStated of(Path folder) throws IOException {
        return SessionCopy.all(folder).isEmpty()
                ? ChangesStated.none("the run worked on no session copy")
                : ChangesStated.none("the changes of the session copy are not listed");
    }
}
