package dev.cagewright.supervisor.session;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.SessionStore;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// The record of one session in the store, from its start to its end.
public final class SessionRecording {
    private final SessionStore store;
    private final InstantSource clock;
    private final SessionRecord begun;

    private SessionRecording(SessionStore store, InstantSource clock, SessionRecord begun) {
        this.store = store;
        this.clock = clock;
        this.begun = begun;
    }

    /// What a session is about.
    ///
    /// @param command the program and its arguments as printable text; empty where it has none
    public record Named(List<String> command, String workspace) {
        public Named {
            command = List.copyOf(command);
        }
    }

    /// Writes that `program` is about to be judged.
    public static SessionRecording begin(
            SessionStore store, Session session, PolicyInForce policy, Action.ProcExec program) throws IOException {
        var words = program.argv().stream().map(ByteString::printable).toList();
        return begin(
                store,
                session,
                policy,
                new Named(words, program.workingDirectory().value()));
    }

    /// Writes that it has begun.
    public static SessionRecording begin(SessionStore store, Session session, PolicyInForce policy, Named about)
            throws IOException {
        var clock = InstantSource.system();
        var record = new SessionRecord(
                session.id(),
                session.terms().name(),
                about.command(),
                about.workspace(),
                session.place().auditLog().toString(),
                new SessionRecord.Policy(policy.name(), policy.sha256()),
                clock.instant(),
                Optional.empty());
        store.write(record);
        return new SessionRecording(store, clock, record);
    }

    /// Writes how it ended.
    ///
    /// @param state one word
    public void end(String state, int exit) throws IOException {
        store.write(begun.ended(new SessionRecord.End(clock.instant(), state, exit)));
    }
}
