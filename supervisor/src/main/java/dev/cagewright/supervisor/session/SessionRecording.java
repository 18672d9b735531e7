package dev.cagewright.supervisor.session;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.SessionStore;
import java.io.IOException;
import java.time.InstantSource;
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

    /// Writes that `program` is about to be judged.
    public static SessionRecording begin(
            SessionStore store, Session session, PolicyInForce policy, Action.ProcExec program) throws IOException {
        var clock = InstantSource.system();
        var record = new SessionRecord(
                session.id(),
                session.terms().name(),
                program.argv().stream().map(ByteString::printable).toList(),
                program.workingDirectory().value(),
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
