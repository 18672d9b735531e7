package dev.cagewright.supervisor.session;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.programs.ProgramNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// One allowed program in one cage of its own, from the warrant to the recorded outcome.
final class CagedRun {
    private final Session session;
    private final Runtime runtime;
    private final RunWatcher watcher;

    CagedRun(Session session, Runtime runtime, RunWatcher watcher) {
        this.session = session;
        this.runtime = runtime;
        this.watcher = watcher;
    }

    /// Steps in an order that matters: the plan, then what guards the workspace, then the cage, then the
    /// program; and the guard is lifted only when nothing of the cage lives any more.
    RunOutcome run(Warrant warrant, Action.ProcExec program, RunRequest request)
            throws IOException, InterruptedException {
        RunOutcome outcome;
        try (var scratch = session.scratch()) {
            outcome = attempt(warrant, request, CagePlan.of(session, program, request, scratch.path()));
        } catch (ProgramNotFoundException e) {
            outcome = new RunOutcome.NoProgram(warrant.id(), String.valueOf(e.getMessage()), List.of());
        } catch (ConfinementException e) {
            outcome = new RunOutcome.NoCage(warrant.id(), e, List.of());
        }
        session.journal().outcome(warrant.id(), program, detail(outcome));
        return outcome;
    }

    private RunOutcome attempt(Warrant warrant, RunRequest request, CagePlan plan)
            throws IOException, InterruptedException, ConfinementException {
        try (var guard = WorkspaceGuard.put(session, request, plan)) {
            var spec = plan.spec().withMasks(guard.masks());
            Exit exit;
            Enforcement enforcement;
            try (var cage = runtime.create(spec)) {
                var run = cage.start(warrant, plan.launch());
                watcher.started(run, guard.noticesWith(plan.notices()));
                exit = run.await();
                enforcement = cage.enforcement();
            }
            return new RunOutcome.Ended(
                    warrant.id(), exit, enforcement, guard.noticesWith(plan.notices()), guard.lift());
        }
    }

    static JsonObject detail(RunOutcome outcome) {
        return switch (outcome) {
            case RunOutcome.Ended ended -> ended(ended);
            case RunOutcome.NoProgram missing ->
                Json.object().put("ran", false).put("why", missing.reason()).build();
            case RunOutcome.NoCage failed ->
                Json.object()
                        .put("ran", false)
                        .put("why", String.valueOf(failed.cause().getMessage()))
                        .put("remedy", failed.cause().remedy())
                        .build();
        };
    }

    private static JsonObject ended(RunOutcome.Ended ended) {
        var exit = ended.exit();
        return Json.object()
                .put("ran", exit.cause() != Exit.Cause.NOT_STARTED)
                .put("exit", exit.status())
                .put("cause", exit.cause().name().toLowerCase(Locale.ROOT))
                .put("why", exit.detail())
                .put("wall_ms", exit.usage().wall().toMillis())
                .put("user_ms", exit.usage().user().toMillis())
                .put("system_ms", exit.usage().system().toMillis())
                .put("max_rss_bytes", exit.usage().maxResidentBytes())
                .put("out_bytes", exit.output().outBytes())
                .put("err_bytes", exit.output().errBytes())
                .put("truncated", exit.output().truncated())
                .put("enforced", enforced(ended.enforcement()))
                .put("gaps", gaps(ended.enforcement()))
                .put("notices", ended.notices())
                .put("afterwards", ended.afterwards())
                .build();
    }

    private static List<Map<String, String>> enforced(Enforcement enforcement) {
        return enforcement.enforced().stream()
                .map(one -> Map.of("limit", one.limit(), "mechanism", one.mechanism(), "value", one.value()))
                .toList();
    }

    private static List<Map<String, String>> gaps(Enforcement enforcement) {
        return enforcement.gaps().stream()
                .map(gap -> Map.of("limit", gap.limit(), "reason", gap.reason(), "remedy", gap.remedy()))
                .toList();
    }
}
