package dev.cagewright.supervisor.session;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.Exit;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Outcomes as JSON.
final class OutcomeJson {
    private OutcomeJson() {}

    static JsonObject of(RunOutcome outcome) {
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
