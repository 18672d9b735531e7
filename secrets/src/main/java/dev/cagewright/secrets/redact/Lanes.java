package dev.cagewright.secrets.redact;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The texts of a stream, by what they are called in it. For one thread at a time.
final class Lanes {
    /// More different texts than this are one.
    private static final int MOST = 4096;

    private final Redaction.Plan plan;
    private final Held held;
    private final Map<Long, Lane> byName = new HashMap<>();
    private final Set<Lane> waiting = new HashSet<>();
    private final Set<String> found = new TreeSet<>();

    Lanes(Redaction.Plan plan, Held held) {
        this.plan = plan;
        this.held = held;
    }

    /// The text of a name.
    ///
    /// @param name a hash of it; two with the same are one text
    Lane lane(long name) {
        var known = byName.get(name);
        if (known != null) {
            return known;
        }
        return byName.computeIfAbsent(byName.size() < MOST ? name : 0, _ -> new Lane());
    }

    /// A piece of this text is over, or all that has come of it.
    void decide(Lane lane) {
        lane.decide(plan, held, Patterns.Rest.MORE_COMES, found);
        boolean holds = lane.heldFrom() != Long.MAX_VALUE;
        if (holds != lane.isWaiting()) {
            lane.setWaiting(holds);
            if (holds) {
                waiting.add(lane);
            } else {
                waiting.remove(lane);
            }
        }
    }

    /// Nothing more comes.
    void end() {
        byName.values().forEach(lane -> lane.decide(plan, held, Patterns.Rest.ENDS, found));
        waiting.clear();
    }

    /// Where the first of what is undecided begins.
    long heldFrom() {
        long from = held.to();
        for (var lane : waiting) {
            from = Math.min(from, lane.heldFrom());
        }
        return Math.max(from, held.from());
    }

    Set<String> names() {
        return found;
    }
}
