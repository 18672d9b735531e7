package dev.cagewright.supervisor.observed;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.document.ApprovalSection;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.engine.Remedy;
import dev.cagewright.policy.layers.Layer;
import dev.cagewright.policy.match.PathPattern;
import dev.cagewright.policy.mcp.McpSection;
import dev.cagewright.policy.mcp.ToolRule;
import dev.cagewright.supervisor.session.PolicyInForce;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// The rules of a cage's own policy that nothing on record needed, and the methods and paths of those that were needed
/// which nothing asked for. That nothing needed a rule yet is no proof that nothing will. What programs do with files
/// and with each other within a cage is not on record, so that mounts and lists of programs are not looked at.
/// Immutable.
///
/// @param looked how many allowed decisions there were
public record Unused(int looked, List<Rule> rules) {
    public Unused {
        rules = List.copyOf(rules);
    }

    /// A rule, or a part of it.
    ///
    /// @param place the rule's name, and its line where it has one
    /// @param what is not needed, as the file says it
    public record Rule(String place, String what) {
        JsonObject toJson() {
            return Json.object().put("rule", place).put("unused", what).build();
        }
    }

    /// What `decisions` did not need.
    public static Unused of(List<PastDecision> decisions, PolicyInForce policy) {
        var allowed = decisions.stream().filter(past -> !past.isDenied()).toList();
        var met = new HashMap<RuleId, List<Action>>();
        for (PastDecision past : allowed) {
            policy.effective()
                    .rulesFor(Layer.Rank.PROJECT, past.action())
                    .forEach(rule ->
                            met.computeIfAbsent(rule, _ -> new ArrayList<>()).add(past.action()));
        }
        var rules = policy.layers()
                .project()
                .map(file -> new Search(file.document(), met).rules())
                .orElse(List.of());
        return new Unused(allowed.size(), rules);
    }

    /// Looks through one document.
    private record Search(PolicyDocument document, Map<RuleId, List<Action>> met) {
        List<Rule> rules() {
            var found = new ArrayList<Rule>();
            var hosts = document.net().flatMap(NetSection::hosts).orElse(List.of());
            for (int i = 0; i < hosts.size(); i++) {
                host(new RuleId("net.hosts[" + i + "]"), hosts.get(i), found);
            }
            var credentials = document.credentials().orElse(List.of());
            for (int i = 0; i < credentials.size(); i++) {
                whole(
                        "credentials[" + i + "]",
                        "the secret " + credentials.get(i).name(),
                        found);
            }
            var registries = document.net().flatMap(NetSection::registries).orElse(List.of());
            for (int i = 0; i < registries.size(); i++) {
                whole("net.registries[" + i + "]", registries.get(i), found);
            }
            var tools = document.mcp().flatMap(McpSection::tools).orElse(List.of());
            for (int i = 0; i < tools.size(); i++) {
                if (tools.get(i).answer() != ToolRule.Answer.DENY) {
                    whole("mcp.tools[" + i + "]", tool(tools.get(i)), found);
                }
            }
            var conditions =
                    document.approval().map(ApprovalSection::requireFor).orElse(List.of());
            IntStream.range(0, conditions.size())
                    .forEach(i -> whole(
                            "approval.require_for[" + i + "]",
                            "the question about " + conditions.get(i).action(),
                            found));
            return found;
        }

        private static String tool(ToolRule rule) {
            return "the tool " + rule.tool()
                    + rule.server().map(server -> " of " + server).orElse("");
        }

        private void whole(String id, String what, List<Rule> found) {
            var rule = new RuleId(id);
            if (!met.containsKey(rule)) {
                found.add(new Rule(placed(rule), what));
            }
        }

        private void host(RuleId id, HostRule rule, List<Rule> found) {
            var actions = met.getOrDefault(id, List.of());
            if (actions.isEmpty()) {
                found.add(new Rule(placed(id), item(rule)));
                return;
            }
            var requests = actions.stream()
                    .filter(Action.HttpRequest.class::isInstance)
                    .map(Action.HttpRequest.class::cast)
                    .toList();
            var methods = rule.methods().orElse(List.of()).stream()
                    .filter(method -> requests.stream().noneMatch(request -> isMethod(method, request)))
                    .toList();
            var paths = rule.paths().orElse(List.of()).stream()
                    .filter(path -> requests.stream().noneMatch(request -> isAt(path, request)))
                    .toList();
            part(id, "methods", methods, found);
            part(id, "paths", paths, found);
        }

        private void part(RuleId id, String key, List<String> values, List<Rule> found) {
            if (!values.isEmpty()) {
                found.add(new Rule(placed(id), key + ": " + String.join(", ", values)));
            }
        }

        private static boolean isMethod(String method, Action.HttpRequest request) {
            return method.toUpperCase(Locale.ROOT).equals(request.method().toUpperCase(Locale.ROOT));
        }

        private static boolean isAt(String path, Action.HttpRequest request) {
            return PathPattern.parse("paths", path).matches(request.path());
        }

        private static String item(HostRule rule) {
            return new Remedy.AddHost(rule).yaml().lines().toList().getLast().strip();
        }

        private String placed(RuleId id) {
            return id
                    + Optional.of(id)
                            .flatMap(document.origins()::of)
                            .map(place -> " (" + place + ")")
                            .orElse("");
        }
    }

    /// As `--json` prints it.
    public JsonObject toJson() {
        return Json.object()
                .put("looked", looked)
                .put("unused", rules.stream().map(Rule::toJson).toList())
                .build();
    }
}
