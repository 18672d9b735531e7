package dev.cagewright.policy.mcp;

import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The entries of `mcp.tools` of one document, compiled: the most specific one that names a call settles it. Immutable
/// and safe for all threads; an answer allocates nothing, and the number of entries hardly matters to it.
public final class McpRules {
    /// Let through to be learned, though no entry of a file names it.
    public static final RuleId LEARNING = new RuleId("mcp.tools");

    private static final Decision LEARNED = new Decision.Allow(LEARNING);
    private static final Entry[] NONE = {};

    /// An entry with its answer.
    private record Entry(int index, ToolRule rule, Decision answer) {
        boolean isAbout(String server, String tool) {
            return rule.tool().matches(tool)
                    && (rule.server().isEmpty() || rule.server().get().matches(server));
        }
    }

    private final Map<String, Entry[]> exact;
    private final String[] prefixes;
    private final int[] shorter;
    private final Entry[][] patterns;
    private final Decision unnamed;

    private McpRules(List<Entry> entries, Decision unnamed) {
        this.unnamed = unnamed;
        var byName = new HashMap<String, List<Entry>>();
        var byPrefix = new HashMap<String, List<Entry>>();
        for (Entry entry : entries) {
            var pattern = entry.rule().tool();
            (pattern.kind() == NamePattern.Kind.EXACT ? byName : byPrefix)
                    .computeIfAbsent(pattern.prefix(), _ -> new ArrayList<>())
                    .add(entry);
        }
        this.exact = new HashMap<>();
        byName.forEach((name, some) -> exact.put(name, some.toArray(NONE)));
        this.prefixes = byPrefix.keySet().stream().sorted().toArray(String[]::new);
        this.shorter = shorter(prefixes);
        this.patterns = Arrays.stream(prefixes)
                .map(prefix -> byPrefix.getOrDefault(prefix, List.of()).toArray(NONE))
                .toArray(Entry[][]::new);
    }

    /// For each of the sorted prefixes the longest other one that it begins with, or -1.
    private static int[] shorter(String[] sorted) {
        var found = new int[sorted.length];
        for (int i = 0; i < sorted.length; i++) {
            int other = i - 1;
            while (other >= 0 && !sorted[i].startsWith(sorted[other])) {
                other = found[other];
            }
            found[i] = other;
        }
        return found;
    }

    /// Compiles the entries of `section`.
    ///
    /// @param unnamed what a call gets that no entry names
    /// @param patience how long a person's answer is awaited
    public static McpRules of(Optional<McpSection> section, Decision unnamed, Duration patience) {
        var rules = section.flatMap(McpSection::tools).orElse(List.of());
        var entries = new ArrayList<Entry>();
        for (int i = 0; i < rules.size(); i++) {
            entries.add(new Entry(i, rules.get(i), answer(rule(i), rules.get(i).answer(), patience)));
        }
        entries.sort(Comparator.comparing((Entry entry) -> entry.rule().tool(), NamePattern.MOST_SPECIFIC)
                .thenComparing(entry -> entry.rule().server().orElse(NamePattern.ANY), NamePattern.MOST_SPECIFIC)
                .thenComparingInt(Entry::index));
        return new McpRules(entries, unnamed);
    }

    private static RuleId rule(int index) {
        return new RuleId("mcp.tools[" + index + "]");
    }

    private static Decision answer(RuleId rule, ToolRule.Answer answer, Duration patience) {
        return switch (answer) {
            case ALLOW -> new Decision.Allow(rule);
            case LEARN -> LEARNED;
            case ASK -> new Decision.Ask(List.of(rule), patience);
            case DENY -> new Decision.Deny(rule, DenyCode.FORBIDDEN, rule + " denies calls of the tool");
        };
    }

    /// What a call gets by its names.
    public Decision judge(String server, String tool) {
        var entry = entryOrNull(server, tool);
        return entry == null ? unnamed : entry.answer();
    }

    /// The entry that settles a call.
    public Optional<Named> entryFor(String server, String tool) {
        return Optional.ofNullable(entryOrNull(server, tool))
                .map(entry -> new Named(rule(entry.index()), entry.rule()));
    }

    /// An entry with its name, e.g. `mcp.tools[2]`.
    public record Named(RuleId id, ToolRule rule) {}

    private @Nullable Entry entryOrNull(String server, String tool) {
        var named = exact.get(tool);
        var found = named == null ? null : firstAbout(named, server, tool);
        int at = found == null ? longestPrefix(tool) : -1;
        while (at >= 0 && found == null) {
            found = firstAbout(patterns[at], server, tool);
            at = shorter[at];
        }
        return found;
    }

    private static @Nullable Entry firstAbout(Entry[] entries, String server, String tool) {
        for (Entry entry : entries) {
            if (entry.isAbout(server, tool)) {
                return entry;
            }
        }
        return null;
    }

    /// The number of the longest prefix that `tool` begins with, or -1: it is the last one that is not behind `tool`,
    /// or one that this begins with.
    private int longestPrefix(String tool) {
        int low = 0;
        int high = prefixes.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (prefixes[middle].compareTo(tool) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        int at = low - 1;
        while (at >= 0 && !tool.startsWith(prefixes[at])) {
            at = shorter[at];
        }
        return at;
    }
}
