package dev.cagewright.cli.run;

import dev.cagewright.audit.json.Json;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.supervisor.receipt.RunEnd;
import dev.cagewright.supervisor.receipt.issue.RunWitness;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.RunOutcome;
import dev.cagewright.supervisor.session.RunRequest;
import dev.cagewright.supervisor.session.RuntimeSource;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.session.UnrecordedOutcomeException;
import java.io.IOException;
import java.time.InstantSource;

/// What has to go well before a run begins: the set-up, in a cage of its own under its own network rules, on the
/// files that the run gets. Nothing that it started lives on.
///
/// @param session the run's session under the set-up's terms
/// @param setup what runs
record SetupPhase(Session session, PolicyInForce.Setup setup) {
    private static final String PHASE = "phase";

    /// How it went.
    sealed interface Result {
        /// The run may begin.
        record Ready() implements Result {}

        /// The run does not begin.
        ///
        /// @param why one sentence without a full stop
        /// @param code what the command ends with
        record Failed(String why, int code) implements Result {}
    }

    /// Of what is told to whom.
    record Beside(RunView view, RunWitness whole, RuntimeSource runtime) {}

    /// Runs it and tells.
    ///
    /// @param request the run's own: place and environment are the same
    Result run(RunRequest request, Beside beside) throws IOException, InterruptedException {
        var streams = beside.view().setupStreams();
        var own = new RunRequest(
                setup.command().stream().map(ByteString::of).toList(),
                request.workspace(),
                request.caller(),
                streams.streams(),
                request.secrets());
        var program = session.programOf(own);
        var witness = new RunWitness(InstantSource.system());
        session.note(
                PHASE, Json.object().put("name", "setup").put("state", "begins").build());
        RunEnd end;
        Result result;
        try {
            var warrant = session.pass(program, own);
            witness.allowed(warrant);
            var outcome = caged(warrant, own, witness, new Around(beside, streams));
            witness.ended(outcome);
            result = result(outcome);
            end = RunEnd.of(outcome, result instanceof Result.Failed(var _, int code) ? code : 0);
            beside.view().setUp(outcome, streams);
        } catch (DeniedException denied) {
            int code = ExitCode.of(denied.denial()).code();
            witness.denied();
            result = new Result.Failed("the set-up was denied", code);
            end = RunEnd.denied(String.valueOf(denied.getMessage()), code);
            beside.view().refused(setup.policy().report(denied));
        }
        beside.whole().setUp(witness, session.terms().isolation(), program, end);
        session.note(
                PHASE,
                Json.object()
                        .put("name", "setup")
                        .put("state", result instanceof Result.Ready ? "done" : "failed")
                        .build());
        return result;
    }

    private record Around(Beside beside, RunStreams streams) {}

    /// A set-up whose end is not in the log is one that did not go well: the run's would not be, either.
    private RunOutcome caged(Warrant warrant, RunRequest request, RunWitness witness, Around around)
            throws IOException, InterruptedException {
        var beside = around.beside();
        try (var steering = new Steering(around.streams())) {
            return session.run(
                    warrant,
                    request,
                    beside.runtime(),
                    witness.before(new RunExecution.Steered(beside.view(), steering)));
        } catch (UnrecordedOutcomeException e) {
            throw new IOException("the set-up's end could not be recorded: " + e.getMessage(), e);
        }
    }

    private static Result result(RunOutcome outcome) {
        int code = RunExecution.code(outcome);
        return switch (outcome) {
            case RunOutcome.Ended ended -> {
                var exit = ended.exit();
                if (exit.cause() == Exit.Cause.EXITED && exit.status() == 0) {
                    yield new Result.Ready();
                }
                var failed = exit.cause() == Exit.Cause.TIMEOUT ? code : ExitCode.SETUP_FAILED.code();
                yield new Result.Failed("the set-up ended with " + code, failed);
            }
            case RunOutcome.NoProgram missing -> new Result.Failed("the set-up: " + missing.reason(), code);
            case RunOutcome.NoCage _ -> new Result.Failed("the set-up got no cage", code);
        };
    }
}
