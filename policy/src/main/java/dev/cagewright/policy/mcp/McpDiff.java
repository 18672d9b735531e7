package dev.cagewright.policy.mcp;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// What one `mcp` section allows and another does not.
public final class McpDiff {
    private McpDiff() {}

    /// One thing that is allowed.
    ///
    /// @param field e.g. `mcp.tools`
    /// @param subject for people
    public record Opened(String field, String subject) {}

    /// Everything that `more` allows and `less` does not; it may name something that other entries of `less` allow.
    public static List<Opened> opened(Optional<McpSection> less, Optional<McpSection> more) {
        var found = new ArrayList<Opened>();
        tools(inForce(less), inForce(more), found);
        var before = less.orElse(McpSection.SILENT);
        var after = more.orElse(McpSection.SILENT);
        results(before.results(), after.results(), found);
        requests(before.requests(), after.requests(), found);
        return List.copyOf(found);
    }

    /// Without those that an earlier one of the same names hides.
    private static List<ToolRule> inForce(Optional<McpSection> section) {
        record Names(NamePattern tool, Optional<NamePattern> server) {}
        var seen = new HashSet<Names>();
        return section.flatMap(McpSection::tools).orElse(List.of()).stream()
                .filter(rule -> seen.add(new Names(rule.tool(), rule.server())))
                .toList();
    }

    private static void tools(List<ToolRule> less, List<ToolRule> more, List<Opened> found) {
        more.stream()
                .filter(rule -> rule.answer() != ToolRule.Answer.DENY && !less.contains(rule))
                .forEach(rule -> found.add(new Opened("mcp.tools", rule.toString())));
        less.stream()
                .filter(rule -> isStrict(rule) && !more.contains(rule))
                .filter(rule -> more.stream().anyMatch(other -> mayMeet(other, rule)))
                .forEach(rule -> found.add(new Opened("mcp.tools", "more of: " + rule)));
    }

    private static boolean isStrict(ToolRule rule) {
        return rule.answer() != ToolRule.Answer.ALLOW
                || rule.arguments().isPresent()
                || !rule.paths().isEmpty()
                || !rule.hosts().isEmpty();
    }

    /// Could another entry settle what this one did?
    private static boolean mayMeet(ToolRule other, ToolRule rule) {
        boolean isBelow = rule.tool().kind() == NamePattern.Kind.PATTERN
                || other.tool().kind() == NamePattern.Kind.PATTERN
                || other.tool().equals(rule.tool());
        return other.answer() != ToolRule.Answer.DENY && isBelow;
    }

    private static void results(ResultTerms less, ResultTerms more, List<Opened> found) {
        if (more.maxBytes() > less.maxBytes()) {
            found.add(new Opened(
                    "mcp.results.max",
                    less.max().orElse(ResultTerms.USUAL_MAX) + " becomes "
                            + more.max().orElse(ResultTerms.USUAL_MAX)));
        }
        if (more.towardsHidden().compareTo(less.towardsHidden()) < 0) {
            found.add(new Opened(
                    "mcp.results.hidden",
                    less.towardsHidden().word() + " becomes "
                            + more.towardsHidden().word()));
        }
        if (more.towardsCredentials().compareTo(less.towardsCredentials()) < 0) {
            found.add(new Opened(
                    "mcp.results.credentials",
                    less.towardsCredentials().word() + " becomes "
                            + more.towardsCredentials().word()));
        }
    }

    private static void requests(RequestTerms less, RequestTerms more, List<Opened> found) {
        if (more.allowsSampling() && !less.allowsSampling()) {
            found.add(new Opened("mcp.requests", "sampling"));
        }
        if (more.allowsElicitation() && !less.allowsElicitation()) {
            found.add(new Opened("mcp.requests", "elicitation"));
        }
        if (more.allowsRoots() && !less.allowsRoots()) {
            found.add(new Opened("mcp.requests", "roots"));
        }
    }
}
