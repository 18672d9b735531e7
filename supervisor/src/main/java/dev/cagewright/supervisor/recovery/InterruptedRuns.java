package dev.cagewright.supervisor.recovery;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.audit.read.EventQuery;
import dev.cagewright.audit.read.EventReader;
import dev.cagewright.audit.read.StoredLine;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.supervisor.receipt.ProgramsStated;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionLife;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// The runs that a log knows the beginning of and not the end. Each gets its outcome, `interrupted`, from whoever
/// starts next; sessions that still live, and those of other state folders, are let alone.
public final class InterruptedRuns {
    /// The name of the action in such an outcome: the one that allowed it stands in the intent.
    public static final String ACTION = "session.interrupted";

    private static final String INTERRUPTED = "interrupted";

    /// Made in a session's folder once an outcome is written, so that two who start at once tell it once; the
    /// decision's id follows.
    private static final String SETTLED = "interrupted-";

    private final AuditLog log;
    private final StateFolders folders;

    public InterruptedRuns(AuditLog log, StateFolders folders) {
        this.log = log;
        this.folders = folders;
    }

    /// Writes the missing outcomes.
    ///
    /// @return what was interrupted and is told for the first time, oldest first
    /// @throws IOException if an outcome may not survive a crash; the next start tries again
    public List<Interruption> settle() throws IOException {
        var found = new ArrayList<Interruption>();
        for (String id : log.interrupted()) {
            var interruption = interruption(id);
            if (interruption.isPresent() && settle(interruption.get())) {
                found.add(interruption.get());
            }
        }
        return found;
    }

    /// Puts on record that a named cage went down with its supervisor, if that is not there.
    ///
    /// @param cage its last session
    /// @return one sentence, where it is told for the first time
    /// @throws IOException if it may not survive a crash; the next start tries again
    public Optional<String> settleCage(SessionId cage) throws IOException {
        var record = new SessionStore(folders).find(cage);
        if (record.isEmpty() || record.get().end().isPresent()) {
            return Optional.empty();
        }
        var folder = folders.sessions().resolve(cage.value());
        var life = SessionLife.takeOver(folder);
        if (life.isEmpty()) {
            return Optional.empty();
        }
        try (var _ = life.get()) {
            var settled = folder.resolve(SETTLED + "cage");
            if (Files.exists(settled, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
            log.append(Event.note(
                    Origin.of(cage.value(), record.get().cage()),
                    Json.object().put("name", ProgramsStated.DOWN).build(),
                    Json.object()
                            .put("name", record.get().cage())
                            .put("state", INTERRUPTED)
                            .build()));
            Files.createFile(settled);
            return Optional.of("interrupted: session " + cage + " of cage "
                    + record.get().cage() + " (up since "
                    + record.get().start().truncatedTo(ChronoUnit.SECONDS)
                    + ") went down with its supervisor and has no receipt: cagewright audit events --session " + cage);
        }
    }

    /// Empty for what is not of these folders.
    private Optional<Interruption> interruption(String id) throws IOException {
        try {
            var decision = new DecisionId(id);
            var record = new SessionStore(folders).find(new SessionId(decision.session()));
            return record.isPresent()
                    ? Optional.of(new Interruption(decision, record.get(), verb(decision)))
                    : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// What a person did to the session, as the intent says; empty for the run itself.
    private String verb(DecisionId decision) throws IOException {
        var verb = new AtomicReference<>("");
        new EventReader(log.path()).newestFirst(EventQuery.ALL.ofSession(decision.session()), line -> {
            if (line instanceof StoredLine.Whole(var whole)
                    && whole.event().kind() == Event.Kind.INTENT
                    && whole.event().origin().id().equals(decision.value())) {
                verb.set(whole.event().action().text("verb").orElse(""));
            }
        });
        return verb.get();
    }

    private boolean settle(Interruption interruption) throws IOException {
        var record = interruption.record();
        var folder = folders.sessions().resolve(record.id().value());
        var life = SessionLife.takeOver(folder);
        if (life.isEmpty()) {
            return false;
        }
        try (var _ = life.get()) {
            var settled = folder.resolve(SETTLED + interruption.decision());
            if (Files.exists(settled, LinkOption.NOFOLLOW_LINKS)) {
                return false;
            }
            write(interruption);
            Files.createFile(settled);
            return true;
        }
    }

    private void write(Interruption interruption) throws IOException {
        var record = interruption.record();
        var origin = Origin.of(record.id().value(), record.cage())
                .decision(interruption.decision().value());
        log.append(Event.outcome(
                origin,
                Json.object().put("name", ACTION).build(),
                Json.object().put("state", INTERRUPTED).build()));
    }
}
