package dev.cagewright.supervisor.setup;

import dev.cagewright.audit.json.Json;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.supervisor.receipt.RunEnd;
import dev.cagewright.supervisor.receipt.issue.RunWitness;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.RunOutcome;
import dev.cagewright.supervisor.session.RunRequest;
import dev.cagewright.supervisor.session.RunWatcher;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.session.UnrecordedOutcomeException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/// What has to go well before a run begins or a named cage comes up: the set-up, in a cage of its own under its own
/// network rules, on the files that come after it. Nothing that it started lives on.
///
/// @param session that of what comes after, under the set-up's terms
/// @param setup what runs
public record SetupPhase(Session session, PolicyInForce.Setup setup) {
    /// What a command ends with when the set-up ended with anything but 0, docs/exit-codes.md.
    public static final int FAILED = 123;

    private static final String PHASE = "phase";

    /// How it went.
    public sealed interface Result {
        /// What comes after may begin.
        record Ready(RunOutcome outcome) implements Result {}

        /// It was allowed and did not go well: nothing begins.
        ///
        /// @param why one sentence without a full stop
        /// @param code what the command ends with
        record Failed(RunOutcome outcome, String why, int code) implements Result {}

        /// It did not run, and nothing begins.
        ///
        /// @param code what the command ends with
        record Denied(DeniedException denied, int code) implements Result {
            /// One sentence without a full stop.
            public String why() {
                return "the set-up was denied";
            }
        }
    }

    /// Who runs it, once it is allowed.
    @FunctionalInterface
    public interface Runner {
        /// Runs it and waits for its end.
        ///
        /// @param seen puts a witness in front of whoever watches
        /// @throws IOException if nobody can look after it
        RunOutcome run(Warrant warrant, RunRequest request, UnaryOperator<RunWatcher> seen)
                throws IOException, InterruptedException;
    }

    /// What commands end with.
    ///
    /// @param ended after what was allowed
    /// @param denied after what was not
    public record Codes(ToIntFunction<RunOutcome> ended, ToIntFunction<DeniedException> denied) {}

    /// Runs it, waits for its end and puts both on record.
    ///
    /// @param request of what comes after: place, environment and secrets are the same
    /// @param streams its own
    /// @param whole hears how it went
    /// @throws IOException if its beginning or its end cannot be recorded: then nothing may begin
    public Result run(RunRequest request, Streams streams, Runner runner, Codes codes, RunWitness whole)
            throws IOException, InterruptedException {
        var own = new RunRequest(
                setup.command().stream().map(ByteString::of).toList(),
                request.workspace(),
                request.caller(),
                streams,
                request.secrets());
        var program = session.programOf(own);
        var witness = new RunWitness(InstantSource.system());
        note("begins");
        RunEnd end;
        Result result;
        try {
            var warrant = session.pass(program, own);
            witness.allowed(warrant);
            var outcome = ran(runner, warrant, own, witness);
            witness.ended(outcome);
            result = result(outcome, codes);
            end = RunEnd.of(outcome, result instanceof Result.Failed failed ? failed.code() : 0);
        } catch (DeniedException denied) {
            witness.denied();
            var refused = new Result.Denied(denied, codes.denied().applyAsInt(denied));
            result = refused;
            end = RunEnd.denied(String.valueOf(denied.getMessage()), refused.code());
        }
        whole.setUp(witness, session.terms().isolation(), program, end);
        note(result instanceof Result.Ready ? "done" : "failed");
        return result;
    }

    private void note(String state) throws IOException {
        session.note(
                PHASE, Json.object().put("name", "setup").put("state", state).build());
    }

    /// A set-up whose end is not in the log is one that did not go well: that of what comes after would not be, either.
    private static RunOutcome ran(Runner runner, Warrant warrant, RunRequest request, RunWitness witness)
            throws IOException, InterruptedException {
        try {
            return runner.run(warrant, request, witness::before);
        } catch (UnrecordedOutcomeException e) {
            throw new IOException("the set-up's end could not be recorded: " + e.getMessage(), e);
        }
    }

    private static Result result(RunOutcome outcome, Codes codes) {
        int code = codes.ended().applyAsInt(outcome);
        return switch (outcome) {
            case RunOutcome.Ended ended -> {
                var exit = ended.exit();
                if (exit.cause() == Exit.Cause.EXITED && exit.status() == 0) {
                    yield new Result.Ready(outcome);
                }
                var failed = exit.cause() == Exit.Cause.TIMEOUT ? code : FAILED;
                yield new Result.Failed(outcome, "the set-up ended with " + code, failed);
            }
            case RunOutcome.NoProgram missing -> new Result.Failed(outcome, "the set-up: " + missing.reason(), code);
            case RunOutcome.NoCage _ -> new Result.Failed(outcome, "the set-up got no cage", code);
        };
    }
}
