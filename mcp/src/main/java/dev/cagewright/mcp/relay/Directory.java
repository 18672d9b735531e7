package dev.cagewright.mcp.relay;

import dev.cagewright.audit.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// What there is of one kind, by the names that clients know. Two names that could be taken for each other lead
/// nowhere,
/// both, whichever server was there first.
///
/// @param entries by name, in the order of the servers and then of each server's own
/// @param ambiguous names that lead nowhere, each with why
record Directory(Map<String, Entry> entries, Map<String, String> ambiguous) {
    static final Directory EMPTY = new Directory(Map.of(), Map.of());

    /// One thing.
    ///
    /// @param name as its server knows it
    /// @param shown as clients see it
    record Entry(Member member, String name, JsonObject shown) {}

    /// A thing before it is known whether its name is its own.
    record Candidate(String outside, Entry entry) {}

    static Directory of(List<Candidate> candidates) {
        var alike = new LinkedHashMap<String, List<Candidate>>();
        for (Candidate one : candidates) {
            alike.computeIfAbsent(Names.skeleton(one.outside()), _ -> new ArrayList<>())
                    .add(one);
        }
        var entries = new LinkedHashMap<String, Entry>();
        var ambiguous = new LinkedHashMap<String, String>();
        for (List<Candidate> group : alike.values()) {
            if (group.size() == 1) {
                entries.put(group.getFirst().outside(), group.getFirst().entry());
            } else {
                var why = why(group);
                group.forEach(one -> ambiguous.put(one.outside(), why));
            }
        }
        return new Directory(entries, ambiguous);
    }

    private static String why(List<Candidate> group) {
        return group.stream()
                        .limit(4)
                        .map(one -> one.entry().name() + " of "
                                + one.entry().member().name())
                        .collect(Collectors.joining(" and "))
                + " could be taken for each other, so neither can be reached";
    }

    Optional<Entry> find(String outside) {
        return Optional.ofNullable(entries.get(outside));
    }

    /// All as clients see them.
    List<JsonObject> shown() {
        return entries.values().stream().map(Entry::shown).toList();
    }
}
