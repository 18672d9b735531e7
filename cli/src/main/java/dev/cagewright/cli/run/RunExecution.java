package dev.cagewright.cli.run;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Run;
import dev.cagewright.supervisor.session.RunOutcome;
import dev.cagewright.supervisor.session.RunRequest;
import dev.cagewright.supervisor.session.RunWatcher;
import dev.cagewright.supervisor.session.RuntimeSource;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.session.SessionRecording;
import dev.cagewright.supervisor.session.UnrecordedOutcomeException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/// One run from the gate to its exit code.
final class RunExecution {
    private final Session session;
    private final RuntimeSource runtime;
    private final RunView view;

    RunExecution(Session session, RuntimeSource runtime, RunView view) {
        this.session = session;
        this.runtime = runtime;
        this.view = view;
    }

    int run(RunRequest request, RunStreams streams, SessionRecording recording)
            throws IOException, InterruptedException {
        try {
            var warrant = session.gate().pass(session.programOf(request));
            var outcome = allowed(warrant, request, streams);
            int code = code(outcome);
            recording.end(state(outcome), code);
            return code;
        } catch (DeniedException denied) {
            view.denied(denied);
            int code = ExitCode.of(denied.denial()).code();
            recording.end("denied", code);
            return code;
        }
    }

    private RunOutcome allowed(Warrant warrant, RunRequest request, RunStreams streams)
            throws IOException, InterruptedException {
        try (var steering = new Steering(streams)) {
            var outcome = session.run(warrant, request, runtime, new Beside(view, steering));
            steering.ended();
            calm(outcome, streams);
            view.ended(outcome, streams, "");
            return outcome;
        } catch (UnrecordedOutcomeException e) {
            view.ended(e.outcome(), streams, String.valueOf(e.getMessage()));
            return e.outcome();
        }
    }

    /// A program that was killed may have left the person's screen in any state.
    private static void calm(RunOutcome outcome, RunStreams streams) throws IOException {
        if (streams instanceof RunStreams.Terminals terminals
                && outcome instanceof RunOutcome.Ended ended
                && ended.exit().cause() != Exit.Cause.EXITED) {
            terminals.calm();
        }
    }

    private static int code(RunOutcome outcome) {
        return switch (outcome) {
            case RunOutcome.Ended ended ->
                switch (ended.exit().cause()) {
                    case TIMEOUT -> ExitCode.TIMEOUT.code();
                    case EXITED, SIGNALLED, NOT_STARTED, MEMORY, OUTPUT, KILLED ->
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
    private record Beside(RunView view, Steering steering) implements RunWatcher {
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
