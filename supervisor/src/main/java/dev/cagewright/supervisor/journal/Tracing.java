package dev.cagewright.supervisor.journal;

import dev.cagewright.audit.log.Appended;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.RuleId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Remembers what a journal appended. Threads append side by side, so lines come in any order. Safe for all threads.
final class Tracing {
    private final List<Appended> lines = new ArrayList<>();
    private final List<JournalTrace.Denied> denials = new ArrayList<>();
    private Optional<Appended> last = Optional.empty();
    private long count;
    private long allowed;
    private long denied;

    synchronized void appended(Appended line) {
        count++;
        if (lines.size() < JournalTrace.MOST_LINES) {
            lines.add(line);
        }
        if (last.isEmpty() || last.get().seq() < line.seq()) {
            last = Optional.of(line);
        }
    }

    synchronized void decided(DecisionId id, String action, Decision.Verdict verdict) {
        switch (verdict) {
            case Decision.Allow _ -> allowed++;
            case Decision.Deny deny -> {
                denied++;
                if (denials.size() < JournalTrace.MOST_DENIALS) {
                    var rules = deny.because().stream().map(RuleId::value).toList();
                    denials.add(new JournalTrace.Denied(id.value(), action, rules, deny.detail()));
                }
            }
        }
    }

    synchronized JournalTrace trace() {
        var inOrder =
                lines.stream().sorted(Comparator.comparingLong(Appended::seq)).toList();
        return new JournalTrace(inOrder, count, last, allowed, denied, denials);
    }
}
