package dev.cagewright.cli.run;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Run;
import dev.cagewright.supervisor.receipt.RunEnd;
import dev.cagewright.supervisor.receipt.issue.Receipts;
import dev.cagewright.supervisor.receipt.issue.RunWitness;
import dev.cagewright.supervisor.session.RunOutcome;
import dev.cagewright.supervisor.session.RunRequest;
import dev.cagewright.supervisor.session.RunWatcher;
import dev.cagewright.supervisor.session.RuntimeSource;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.session.SessionRecording;
import dev.cagewright.supervisor.session.UnrecordedOutcomeException;
import dev.cagewright.supervisor.setup.SetupPhase;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// One run from the gate to its exit code.
final class RunExecution {
    private final Session session;
    private final RuntimeSource runtime;
    private final Receipts receipts;
    private final RunView view;
    private final Function<RunStreams, ProgramRun.Steers> steers;
    private final Optional<SetupPhase> setup;

    RunExecution(Session session, RuntimeSource runtime, Receipts receipts, Around around) {
        this.session = session;
        this.runtime = runtime;
        this.receipts = receipts;
        this.view = around.view();
        this.steers = around.steers();
        this.setup = around.setup();
    }

    /// Who is told, who steers, and what comes before.
    record Around(RunView view, Function<RunStreams, ProgramRun.Steers> steers, Optional<SetupPhase> setup) {}

    int run(RunRequest request, RunStreams streams, SessionRecording recording)
            throws IOException, InterruptedException {
        var program = session.programOf(request);
        var witness = new RunWitness(InstantSource.system());
        boolean isHopeless = session.gate().judge(program) instanceof Decision.Deny;
        if (setup.isPresent() && !isHopeless) {
            var failed = new SetupRun(setup.get(), view, runtime, steers).run(request, witness);
            if (failed.isPresent()) {
                var why = failed.get().why();
                int code = failed.get().code();
                view.receipt(receipts.issue(witness, program, RunEnd.notBegun(why, code)));
                view.notBegun(why);
                kept(recording, "setup-failed", code);
                return code;
            }
        }
        try {
            var warrant = session.pass(program, request);
            witness.allowed(warrant);
            return code(allowed(warrant, request, streams, witness, recording));
        } catch (DeniedException denied) {
            int code = ExitCode.of(denied.denial()).code();
            witness.denied();
            view.receipt(receipts.issue(witness, program, RunEnd.denied(String.valueOf(denied.getMessage()), code)));
            view.denied(denied);
            kept(recording, "denied", code);
            return code;
        }
    }

    /// Writes how it ended. By now it is decided, told, and over: a record that cannot be written changes nothing.
    ///
    /// @return why it could not be written; empty when it was
    private static Optional<String> kept(SessionRecording recording, String state, int code) {
        try {
            recording.end(state, code);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("the session's record could not be written: " + e.getMessage());
        }
    }

    /// The terminal is the person's again before anything is told, and the receipt is written before that.
    private RunOutcome allowed(
            Warrant warrant, RunRequest request, RunStreams streams, RunWitness witness, SessionRecording recording)
            throws IOException, InterruptedException {
        RunOutcome outcome;
        var unrecorded = new ArrayList<String>();
        try (var steering = steers.apply(streams)) {
            outcome = session.run(warrant, request, runtime, witness.before(new Steered(view, steering)));
        } catch (UnrecordedOutcomeException e) {
            outcome = e.outcome();
            unrecorded.add(String.valueOf(e.getMessage()));
        }
        calm(outcome, streams);
        witness.ended(outcome);
        view.spent(session.spent());
        view.receipt(receipts.issue(witness, session.programOf(request), RunEnd.of(outcome, code(outcome))));
        kept(recording, state(outcome), code(outcome)).ifPresent(unrecorded::add);
        view.ended(outcome, streams, String.join("; ", unrecorded));
        return outcome;
    }

    /// A program that was killed may have left the person's screen in any state.
    private static void calm(RunOutcome outcome, RunStreams streams) throws IOException {
        if (streams instanceof RunStreams.Terminals terminals
                && outcome instanceof RunOutcome.Ended ended
                && ended.exit().cause() != Exit.Cause.EXITED) {
            terminals.calm();
        }
    }

    static int code(RunOutcome outcome) {
        return switch (outcome) {
            case RunOutcome.Ended ended ->
                switch (ended.exit().cause()) {
                    case TIMEOUT -> ExitCode.TIMEOUT.code();
                    case EXITED, SIGNALLED, NOT_STARTED, MEMORY, OUTPUT, DISK, FILES, UNCOVERED, KILLED, CANCELLED ->
                        ended.exit().status();
                };
            case RunOutcome.NoProgram missing ->
                switch (missing.kind()) {
                    case MISSING -> ExitCode.NOT_FOUND.code();
                    case NOT_EXECUTABLE -> ExitCode.NOT_EXECUTABLE.code();
                };
            case RunOutcome.NoCage _ -> ExitCode.NO_CAGE.code();
        };
    }

    private static String state(RunOutcome outcome) {
        return switch (outcome) {
            case RunOutcome.Ended ended -> ended.exit().cause().name().toLowerCase(Locale.ROOT);
            case RunOutcome.NoProgram _ -> "not-found";
            case RunOutcome.NoCage _ -> "no-cage";
        };
    }

    /// Says that it starts, then steers it.
    record Steered(RunView view, ProgramRun.Steers steering) implements RunWatcher {
        @Override
        public void starting(Warrant warrant, List<String> notices) {
            view.starting(warrant.id(), warrant.allowed(), notices);
            steering.ready();
        }

        @Override
        public Watch started(Run run) {
            return steering.of(run);
        }
    }
}
