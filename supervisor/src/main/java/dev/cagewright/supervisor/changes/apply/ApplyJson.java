package dev.cagewright.supervisor.changes.apply;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.sandbox.protect.ProtectionGroup;
import dev.cagewright.supervisor.changes.ChangeJson;
import dev.cagewright.supervisor.copy.SessionCopy;
import dev.cagewright.supervisor.journal.ActionJson;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/// Plans and results as the log and `--json` write them. In the log the lists are cut; the digest is of all.
public final class ApplyJson {
    private static final int LISTED = 200;

    private ApplyJson() {}

    /// What is intended.
    public static JsonObject intent(List<ApplyPlan> plans) {
        return Json.object()
                .put("copies", plans.stream().map(ApplyJson::intent).toList())
                .build();
    }

    private static JsonObject intent(ApplyPlan plan) {
        var request = plan.request();
        var allowed = plan.allowed();
        return Json.object()
                .put("host", ActionJson.bytes(request.copy().lower()))
                .put("mechanism", request.copy().mechanism().word())
                .put("count", allowed.size())
                .put("sha256", digest(allowed))
                .put("changes", changes(allowed))
                .put("kept", kept(plan.steps().stream().filter(Step::isRefused).toList()))
                .put(
                        "forced",
                        request.forced().stream()
                                .sorted()
                                .map(path -> ActionJson.bytes(path.bytes()))
                                .limit(LISTED)
                                .toList())
                .put(
                        "waived",
                        request.waived().stream()
                                .map(ProtectionGroup::id)
                                .sorted()
                                .toList())
                .build();
    }

    /// How it ended.
    public static JsonObject outcome(List<Application.Result> results) {
        return Json.object()
                .put("copies", results.stream().map(ApplyJson::outcome).toList())
                .build();
    }

    private static JsonObject outcome(Application.Result result) {
        return Json.object()
                .put("applied", result.done().size())
                .put("sha256", digest(result.done()))
                .put("kept_count", result.kept().size())
                .put("kept", kept(result.kept()))
                .put("notes", result.notes().stream().limit(LISTED).toList())
                .build();
    }

    /// What a discard throws away.
    public static JsonObject discard(SessionCopy copy, List<String> paths) {
        return Json.object()
                .put("host", ActionJson.bytes(copy.lower()))
                .put("paths", paths.stream().limit(LISTED).toList())
                .build();
    }

    private static List<JsonObject> changes(List<Step> steps) {
        return steps.stream()
                .limit(LISTED)
                .map(step -> ChangeJson.of(step.difference().change()))
                .toList();
    }

    private static List<JsonObject> kept(List<Step> steps) {
        return steps.stream().limit(LISTED).map(ApplyJson::kept).toList();
    }

    /// One step that is not carried out.
    public static JsonObject kept(Step step) {
        var json = Json.object().put("path", ActionJson.bytes(step.path().bytes()));
        step.refusal()
                .ifPresent(why -> json.put("kind", why.kind().name().toLowerCase(Locale.ROOT))
                        .put("why", why.sentence()));
        return json.build();
    }

    /// SHA-256 over the changes' JSON, a line each.
    static String digest(List<Step> steps) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            for (Step step : steps) {
                digest.update(ChangeJson.of(step.difference().change()).bytes());
                digest.update("\n".getBytes(StandardCharsets.US_ASCII));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing from this JDK", e);
        }
    }
}
