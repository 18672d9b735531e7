package dev.cagewright.supervisor.grant;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionLife;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// The grants of a person's sessions from another terminal: what there is, and orders to the sessions that live. Safe
/// for all threads.
public final class GrantOffice {
    /// How long a session is waited for.
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final long LOOK = 20;

    private final StateFolders folders;

    public GrantOffice(StateFolders folders) {
        this.folders = folders;
    }

    /// The grants of a session, the oldest first.
    ///
    /// @throws IOException if one cannot be read whole
    public List<GrantRecord> all(SessionId session) throws IOException {
        return GrantFolder.of(folder(session)).all();
    }

    /// The grant that `id` is, as long as its session keeps it.
    ///
    /// @throws IOException if there is one that cannot be read whole
    public Optional<GrantRecord> find(DecisionId id) throws IOException {
        return GrantFolder.of(folder(new SessionId(id.session()))).find(id);
    }

    /// Forgets one that does not hold any more.
    public void forget(DecisionId id) throws IOException {
        GrantFolder.of(folder(new SessionId(id.session()))).forget(id);
    }

    /// Gives a grant.
    ///
    /// @param addresses the only ones that may be dialled for its host; none means public ones
    /// @throws IllegalArgumentException if an address is none
    /// @throws IOException if the session does not live, or does not answer
    public OrderAnswer add(SessionId session, GrantRequest request, List<String> addresses)
            throws IOException, InterruptedException {
        return ordered(session, new GrantOrder.Add(request, addresses, account()));
    }

    /// Takes a grant back.
    ///
    /// @throws IOException if its session does not live, or does not answer
    public OrderAnswer revoke(DecisionId id) throws IOException, InterruptedException {
        return ordered(new SessionId(id.session()), new GrantOrder.Revoke(id, account()));
    }

    private OrderAnswer ordered(SessionId session, GrantOrder order) throws IOException, InterruptedException {
        var own = folder(session);
        if (!SessionLife.isAlive(own)) {
            throw new IOException("session " + session
                    + " is over, and its grants with it (expected: one that lives, as cagewright ls shows it)");
        }
        var folder = GrantFolder.create(own);
        var name = UUID.randomUUID().toString().replace("-", "");
        folder.order(name, order.toJson().bytes());
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            var answer = folder.answer(name);
            if (answer.isPresent()) {
                return OrderAnswer.parse(answer.get());
            }
            if (System.nanoTime() - end > 0 && isGivenUp(folder, name, own)) {
                throw new IOException("session " + session
                        + " does not take it: it has no network, or is at its set-up, or ends (nothing was changed)");
            }
            Thread.sleep(LOOK);
        }
    }

    /// What the session has taken is waited for as long as it lives.
    private static boolean isGivenUp(GrantFolder folder, String name, Path session) throws IOException {
        return folder.withdraw(name) || !SessionLife.isAlive(session);
    }

    /// The sessions that live, the newest first.
    public List<SessionRecord> living() throws IOException {
        var store = new SessionStore(folders);
        var living = new ArrayList<SessionRecord>();
        for (var record : store.list((_, _) -> {})) {
            if (store.isAlive(record.id())) {
                living.add(record);
            }
        }
        return living;
    }

    /// A policy that a cage sees is shown to it read-only, and a file that takes its place would not be.
    ///
    /// @throws IOException if `file` lies in the workspace of a session that lives
    public void requireOutsideOfWorkspaces(Path file) throws IOException {
        for (var record : living()) {
            if (file.startsWith(Path.of(record.workspace()))) {
                throw new IOException("policy: " + GrantJournal.safe(file.toString())
                        + " lies in the workspace of session "
                        + record.id() + ", which could change a new file there (expected: after its end, or a policy"
                        + " outside of it)");
            }
        }
    }

    /// Puts on record that a grant became a rule.
    public void promoted(SessionRecord record, DecisionId id, Path policy) throws IOException {
        var origin = Origin.of(record.id().value(), record.cage()).decision(id.value());
        try (var log = AuditLog.open(Path.of(record.auditLog()), InstantSource.system())) {
            log.append(Event.note(
                    origin,
                    Json.object().put("name", "grant.promoted").build(),
                    Json.object()
                            .put("by", account())
                            .put("policy", GrantJournal.safe(policy.toString()))
                            .build()));
        }
    }

    private Path folder(SessionId session) throws IOException {
        return folders.sessions().resolve(session.value());
    }

    private static String account() {
        return System.getProperty("user.name", "?");
    }
}
