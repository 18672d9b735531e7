package dev.cagewright.supervisor.budget;

import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.layers.Layer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What a count is of, in lines: the same text is the same count. It has whose budget it is and whom a rule lets the
/// cage reach, and not how much: a changed amount does not begin anew.
final class Counted {
    private Counted() {}

    /// @param rule empty for everything together
    static String text(Layer.Rank rank, Purse purse, Optional<HostRule> rule) {
        var whose = rank == Layer.Rank.PROJECT
                ? "cage " + purse.cage()
                : "layer " + rank.name().toLowerCase(Locale.ROOT);
        var phase = purse.setUps().contains(rank) ? "phase setup\n" : "";
        return whose + "\n" + phase + rule.map(Counted::text).orElse("all of net\n");
    }

    private static String text(HostRule rule) {
        var target = switch (rule.target()) {
            case HostRule.Target.Host(String pattern) -> "host " + pattern.toLowerCase(Locale.ROOT);
            case HostRule.Target.Alias(String name) -> "alias " + name;
        };
        return target + "\n"
                + words("methods", rule.methods().map(Counted::upperCase))
                + words("paths", rule.paths())
                + words(
                        "ports",
                        rule.ports()
                                .map(ports ->
                                        ports.stream().map(Object::toString).toList()))
                + "protocol " + rule.protocol().word() + "\n";
    }

    private static List<String> upperCase(List<String> words) {
        return words.stream().map(word -> word.toUpperCase(Locale.ROOT)).toList();
    }

    private static String words(String name, Optional<List<String>> words) {
        return words.map(some -> name + " "
                        + String.join(" ", some.stream().distinct().sorted().toList()) + "\n")
                .orElse("");
    }
}
