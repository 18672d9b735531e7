package dev.cagewright.supervisor.journal;

import dev.cagewright.audit.log.Appended;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What one session has put into the log so far.
///
/// @param lines its lines in the log's order, at most [#MOST_LINES]
/// @param count how many lines there are
/// @param last the line furthest down
/// @param allowed how many intents were allowed
/// @param denied how many were denied
/// @param denials the first of those, at most [#MOST_DENIALS]
/// @param secrets how often each secret that was lent was used, by name
public record JournalTrace(
        List<Appended> lines,
        long count,
        Optional<Appended> last,
        long allowed,
        long denied,
        List<Denied> denials,
        SortedMap<String, Long> secrets) {
    /// So many lines are remembered one by one.
    public static final int MOST_LINES = 100_000;

    /// So many denials are remembered one by one.
    public static final int MOST_DENIALS = 1_000;

    public JournalTrace {
        lines = List.copyOf(lines);
        denials = List.copyOf(denials);
        secrets = Collections.unmodifiableSortedMap(new TreeMap<>(secrets));
    }

    /// A denied action.
    ///
    /// @param id the decision's
    /// @param action its name
    public record Denied(String id, String action, List<String> rules, String why) {
        public Denied {
            rules = List.copyOf(rules);
        }
    }
}
