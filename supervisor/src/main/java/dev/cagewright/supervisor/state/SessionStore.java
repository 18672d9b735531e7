package dev.cagewright.supervisor.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The sessions of one person, a folder each. Records are replaced whole, so a crash leaves the old or the
/// new one. Safe for all threads that write different sessions.
public final class SessionStore {
    /// The largest record that is read, bytes.
    private static final long MAX_RECORD = 4 << 20;

    private static final String RECORD = "session.json";

    private final StateFolders folders;

    public SessionStore(StateFolders folders) {
        this.folders = folders;
    }

    /// Writes `record` in its session's folder; durable when it returns.
    public void write(SessionRecord record) throws IOException {
        OwnerFile.write(
                folders.session(record.id()).resolve(RECORD), record.toJson().bytes());
    }

    /// The record of `id`, or empty when there is no such session.
    ///
    /// @throws IOException if there is one that cannot be read whole
    public Optional<SessionRecord> find(SessionId id) throws IOException {
        return read(folders.sessions().resolve(id.value()));
    }

    /// Does the session's supervisor live? The product's own process counts too.
    ///
    /// @throws IOException if nobody can tell
    public boolean isAlive(SessionId id) throws IOException {
        return SessionLife.isAlive(folders.sessions().resolve(id.value()));
    }

    /// All sessions, newest first; `unreadable` hears about folders without a whole record.
    public List<SessionRecord> list(Unreadable unreadable) throws IOException {
        var found = new ArrayList<SessionRecord>();
        try (var entries = Files.newDirectoryStream(folders.sessions(), Files::isDirectory)) {
            for (Path folder : entries) {
                try {
                    read(folder).ifPresent(found::add);
                } catch (IOException e) {
                    unreadable.accept(folder, e);
                }
            }
        }
        found.sort(Comparator.comparing(SessionRecord::start).reversed());
        return found;
    }

    private static Optional<SessionRecord> read(Path folder) throws IOException {
        var file = folder.resolve(RECORD);
        try {
            if (Files.size(file) > MAX_RECORD) {
                throw new IOException("session record: " + file + " is larger than " + MAX_RECORD + " bytes");
            }
            return Optional.of(SessionRecord.parse(Files.readAllBytes(file)));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    /// Hears about a session's folder whose record cannot be read.
    @FunctionalInterface
    public interface Unreadable {
        void accept(Path folder, IOException why);
    }
}
