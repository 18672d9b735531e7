package dev.cagewright.supervisor.resident;

import dev.cagewright.audit.json.Json;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.supervisor.receipt.ProgramsStated;
import dev.cagewright.supervisor.receipt.RunEnd;
import dev.cagewright.supervisor.receipt.issue.CageWitness;
import dev.cagewright.supervisor.receipt.issue.KeyAhead;
import dev.cagewright.supervisor.receipt.issue.Receipts;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.session.SessionRecording;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What is put on record of one named cage: that it came up and went down, its session's record, and the receipt. Safe
/// for all threads; ended once.
final class Chronicle {
    private final StateFolders folders;
    private final Session session;
    private final PolicyInForce policy;
    private final GuestPath directory;
    private final SessionRecording recording;
    private final CageWitness witness;
    private Optional<Receipts> receipts = Optional.empty();

    private Chronicle(
            StateFolders folders,
            Session session,
            PolicyInForce policy,
            GuestPath directory,
            SessionRecording recording) {
        this.folders = folders;
        this.session = session;
        this.policy = policy;
        this.directory = directory;
        this.recording = recording;
        this.witness = new CageWitness(InstantSource.system());
    }

    /// Writes that it has begun.
    ///
    /// @param directory where its programs find themselves
    static Chronicle begin(StateFolders folders, Session session, Groundwork ground, GuestPath directory)
            throws IOException {
        var policy = ground.policy();
        var recording = SessionRecording.begin(
                new SessionStore(folders),
                session,
                policy,
                new SessionRecording.Named(
                        policy.command().orElse(List.of()), ground.workspace().printable()));
        return new Chronicle(folders, session, policy, directory, recording);
    }

    /// Sees it all.
    CageWitness witness() {
        return witness;
    }

    /// It is about to be built.
    void up(String name) throws IOException {
        session.note("cage.up", Json.object().put("name", name).build());
        LastSession.write(folders, name, session.id());
    }

    /// Begins with what a receipt needs, beside whatever else takes time now.
    synchronized Receipts prepare() {
        if (receipts.isEmpty()) {
            receipts = Optional.of(Receipts.of(session, policy, folders, KeyAhead.begin(folders)));
        }
        return receipts.get();
    }

    /// It did not come up.
    ///
    /// @param state for its record, one word
    /// @param end what its receipt says
    /// @return what a person should hear, each one sentence
    List<String> neverUp(String state, RunEnd end) throws IOException {
        var told = issued(end);
        recording.end(state, (int) end.code());
        return told;
    }

    /// It is down. By now that is so, whatever can still be written.
    ///
    /// @param state for its record, one word
    /// @param afterwards what it left
    /// @return what a person should hear, each one sentence
    List<String> down(String name, String state, List<String> afterwards) {
        witness.down();
        var told = new ArrayList<String>();
        try {
            session.note(
                    ProgramsStated.DOWN,
                    Json.object().put("name", name).put("state", state).build());
        } catch (IOException e) {
            told.add(unrecorded(e));
        }
        told.addAll(issued(RunEnd.ofCage(state, witness.used(), afterwards)));
        try {
            recording.end(state, 0);
        } catch (IOException e) {
            told.add(unrecorded(e));
        }
        return told;
    }

    private static String unrecorded(IOException why) {
        return "its end could not be recorded: " + why.getMessage();
    }

    private List<String> issued(RunEnd end) {
        var command =
                policy.command().orElse(List.of()).stream().map(ByteString::of).toList();
        return switch (prepare().issue(witness, command, directory, end)) {
            case Receipts.Issue.Missing(String why) -> List.of("no receipt: " + why);
            case Receipts.Issue.Issued issued -> {
                var told = new ArrayList<String>();
                if (issued.key().isNew()) {
                    told.add("receipts are signed from now on; keep this public key elsewhere: "
                            + issued.key().open().hex());
                }
                if (!issued.unnamed().isEmpty()) {
                    told.add("receipt not in the log: " + issued.unnamed());
                }
                told.add("receipt: cagewright receipt verify " + session.id());
                yield told;
            }
        };
    }
}
