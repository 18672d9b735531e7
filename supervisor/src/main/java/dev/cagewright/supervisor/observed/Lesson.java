package dev.cagewright.supervisor.observed;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.gate.Judge;
import dev.cagewright.supervisor.changes.diff.TextPatch;
import dev.cagewright.supervisor.policyfile.LoadedPolicy;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.policyfile.PolicyWriter;
import dev.cagewright.supervisor.session.PolicyInForce;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayList;
import java.util.List;

/// What a learning run did that its policy does not allow, and one change of the policy's file that would allow it.
/// Applies nothing. Immutable.
///
/// @param lacking how many of its decisions the policy denies
/// @param still how many it denies with the change, too
/// @param suggestion what the change is made of
/// @param unplaced lines that have no place in the file as it stands
/// @param patch the change as `patch` takes it; empty when there is none
public record Lesson(int lacking, int still, Suggestion suggestion, List<String> unplaced, String patch) {
    private static final List<String> NET_MODE = List.of("net", "mode");

    public Lesson {
        unplaced = List.copyOf(unplaced);
    }

    /// Of what a run did.
    ///
    /// @param policy as it is written, not as it held while it was learned
    public static Lesson of(List<PastDecision> decisions, PolicyInForce policy) {
        var suggestion = Suggestion.of(decisions);
        int lacking = denied(decisions, policy.effective());
        var project = policy.layers().project();
        if (project.isEmpty() || suggestion.lines().isEmpty()) {
            return new Lesson(lacking, lacking, suggestion, items(suggestion.lines()), "");
        }
        var unplaced = new ArrayList<String>();
        var fresh = written(project.get(), suggestion, unplaced);
        return new Lesson(
                lacking,
                stillDenied(decisions, policy, project.get(), fresh),
                suggestion,
                unplaced,
                patch(project.get(), fresh));
    }

    private static List<String> items(List<Suggestion.Line> lines) {
        return lines.stream().map(line -> line.item().strip()).toList();
    }

    /// The file's text with every line that has a place in it.
    private static String written(LoadedPolicy file, Suggestion suggestion, List<String> unplaced) {
        var text = file.text();
        for (Suggestion.Line line : suggestion.lines()) {
            try {
                text = new PolicyWriter(file.name(), opened(file.name(), text, line)).withItem(line.yaml());
            } catch (PolicySyntaxException | IllegalArgumentException _) {
                unplaced.add(line.item().strip());
            }
        }
        return text;
    }

    /// A closed network has to open before a host on its list means anything.
    private static String opened(String name, String text, Suggestion.Line line) throws PolicySyntaxException {
        var writer = new PolicyWriter(name, text);
        boolean isClosed = line.section().getFirst().equals("net:")
                && writer.word(NET_MODE).filter("none"::equals).isPresent();
        return isClosed ? writer.withWord(NET_MODE, "allowlist") : text;
    }

    private static int denied(List<PastDecision> decisions, Judge judge) {
        return (int) decisions.stream()
                .filter(past -> judge.judge(past.action()) instanceof Decision.Deny)
                .count();
    }

    private static int stillDenied(
            List<PastDecision> decisions, PolicyInForce policy, LoadedPolicy file, String fresh) {
        try {
            return denied(decisions, policy.with(file.saying(fresh)));
        } catch (PolicySyntaxException | BadPolicyException e) {
            throw new IllegalStateException("a proposal that is no policy", e);
        }
    }

    private static String patch(LoadedPolicy file, String fresh) {
        var name = file.file().toString();
        return Files.exists(file.file(), LinkOption.NOFOLLOW_LINKS)
                ? TextPatch.of(name, name, file.text(), fresh)
                : TextPatch.of("/dev/null", name, "", fresh);
    }

    /// As `--json` prints it.
    public JsonObject toJson() {
        return Json.object()
                .put("lacking", lacking)
                .put("still_denied", still)
                .put("suggestion", suggestion.toJson())
                .put("unplaced", unplaced)
                .put("patch", patch)
                .build();
    }
}
