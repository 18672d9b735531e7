package dev.cagewright.supervisor.policyfile;

import dev.cagewright.policy.document.ApprovalSection.Condition;
import dev.cagewright.supervisor.policyfile.shape.Group;
import dev.cagewright.supervisor.policyfile.shape.GroupKey;
import dev.cagewright.supervisor.policyfile.shape.GroupValues;
import dev.cagewright.supervisor.policyfile.shape.ListShape;
import dev.cagewright.supervisor.policyfile.shape.ScalarShape;
import java.util.List;

/// One item of `approval.require_for`: a mapping from one action to its filters, e.g.
/// `http.request: {methods: [POST]}`.
final class ConditionShape {
    private static final GroupKey<List<String>> METHODS =
            GroupKey.optional("methods", NetShape.METHODS, "HTTP methods that need approval; absent means all.");
    private static final GroupKey<List<String>> HOSTS =
            GroupKey.optional("hosts", NetShape.HOSTS, "Hosts or aliases that need approval; absent means all.");
    private static final GroupKey<List<String>> PATHS =
            GroupKey.optional("paths", NetShape.PATHS, "Paths that need approval; absent means all.");
    private static final GroupKey<List<String>> NAMES = GroupKey.optional(
            "names",
            new ListShape<>("a list of names", ScalarShape.visibleText("a name")),
            "Programs or secrets that need approval; absent means all.");

    private static final List<GroupKey<Condition>> ACTIONS =
            Condition.ACTIONS.stream().map(ConditionShape::action).toList();

    static final Group<Condition> CONDITION = Group.of(
                    "a mapping from an action to its filters", List.copyOf(ACTIONS), ConditionShape::chosen)
            .withExactlyOneOf(Condition.ACTIONS);

    private ConditionShape() {}

    private static GroupKey<Condition> action(String name) {
        var filters = filters(name);
        var words = filters.stream().map(GroupKey::name).toList();
        var group = Group.of(
                "a mapping with " + String.join(", ", words) + ", or {} for all of them",
                filters,
                values -> new Condition(
                        name, values.find(METHODS), values.find(HOSTS), values.find(PATHS), values.find(NAMES)));
        return GroupKey.optional(name, group, "Which " + name + " actions need approval; {} means all.");
    }

    private static List<GroupKey<?>> filters(String action) {
        return switch (action) {
            case "http.request" -> List.of(METHODS, HOSTS, PATHS);
            case "net.connect", "dns.lookup" -> List.of(HOSTS);
            case "fs.read", "fs.write" -> List.of(PATHS);
            case "secret.use" -> List.of(HOSTS, NAMES);
            default -> List.of(NAMES);
        };
    }

    private static Condition chosen(GroupValues values) {
        return ACTIONS.stream()
                .flatMap(action -> values.find(action).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("condition: no action (expected: exactly one)"));
    }
}
