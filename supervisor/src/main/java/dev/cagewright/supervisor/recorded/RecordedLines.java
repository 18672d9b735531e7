package dev.cagewright.supervisor.recorded;

import dev.cagewright.audit.read.EventQuery;
import dev.cagewright.audit.read.EventReader;
import dev.cagewright.audit.read.StoredLine;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Optional;

/// Looks lines of a person's logs up. Immutable.
///
/// @param folders the person's
public record RecordedLines(StateFolders folders) {
    /// A session's record may be begun a moment after its first line.
    private static final Duration SLACK = Duration.ofMinutes(1);

    /// The log that the session of `id` is recorded in, the person's usual one where that is not known.
    public Path logOf(DecisionId id) throws IOException {
        var record = session(id);
        return record.isPresent() ? Path.of(record.get().auditLog()) : folders.auditLog();
    }

    private Optional<SessionRecord> session(DecisionId id) throws IOException {
        return new SessionStore(folders).find(new SessionId(id.session()));
    }

    /// Gives `sink` every line about one decision, the oldest first: its intent, its outcome, and notes. Nothing older
    /// than its session is read.
    ///
    /// @throws IOException if the log cannot be read, or `sink` throws it
    public void decision(DecisionId id, EventReader.Sink sink) throws IOException {
        var begin = session(id).map(record -> record.start().minus(SLACK));
        decision(id, logOf(id), begin, sink);
    }

    /// The same of another log.
    public static void decision(DecisionId id, Path log, EventReader.Sink sink) throws IOException {
        decision(id, log, Optional.empty(), sink);
    }

    private static void decision(DecisionId id, Path log, Optional<Instant> begin, EventReader.Sink sink)
            throws IOException {
        var found = new ArrayDeque<StoredLine.Whole>();
        var query = EventQuery.ALL.ofSession(id.session());
        new EventReader(log).newestFirst(begin.map(query::notBefore).orElse(query), line -> {
            if (line instanceof StoredLine.Whole whole
                    && whole.line().event().origin().id().equals(id.value())) {
                found.addFirst(whole);
            }
        });
        for (StoredLine.Whole line : found) {
            sink.take(line);
        }
    }

    /// Gives `sink` events of the person's usual log, the newest first.
    ///
    /// @throws IOException if the log cannot be read, or `sink` throws it
    public void events(EventQuery query, EventReader.Sink sink) throws IOException {
        new EventReader(folders.auditLog()).newestFirst(query, sink);
    }
}
