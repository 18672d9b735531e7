package dev.cagewright.cli.run;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.supervisor.receipt.issue.RunWitness;
import dev.cagewright.supervisor.session.RunRequest;
import dev.cagewright.supervisor.session.RuntimeSource;
import dev.cagewright.supervisor.setup.SetupPhase;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;

/// The set-up before a run, told and steered like a run.
record SetupRun(SetupPhase phase, RunView view, RuntimeSource runtime, Function<RunStreams, ProgramRun.Steers> steers) {
    private static final SetupPhase.Codes CODES = new SetupPhase.Codes(
            RunExecution::code, denied -> ExitCode.of(denied.denial()).code());

    /// Why a run does not begin.
    ///
    /// @param why one sentence without a full stop
    /// @param code what the command ends with
    record Failed(String why, int code) {}

    /// Runs it and tells.
    ///
    /// @param request the run's own
    /// @return empty if the run may begin
    Optional<Failed> run(RunRequest request, RunWitness whole) throws IOException, InterruptedException {
        var streams = view.setupStreams();
        var result = phase.run(
                request,
                streams.streams(),
                (warrant, own, seen) -> {
                    try (var steering = steers.apply(streams)) {
                        return phase.session()
                                .run(warrant, own, runtime, seen.apply(new RunExecution.Steered(view, steering)));
                    }
                },
                CODES,
                whole);
        return switch (result) {
            case SetupPhase.Result.Ready ready -> {
                view.setUp(ready.outcome(), streams);
                yield Optional.empty();
            }
            case SetupPhase.Result.Failed failed -> {
                view.setUp(failed.outcome(), streams);
                yield Optional.of(new Failed(failed.why(), failed.code()));
            }
            case SetupPhase.Result.Denied denied -> {
                view.refused(phase.setup().policy().report(denied.denied()));
                yield Optional.of(new Failed(denied.why(), denied.code()));
            }
        };
    }
}
