package dev.cagewright.egress.underway;

import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.gate.Gate;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Everything of one cage that is under way. Safe for all threads.
public final class Underway {
    private final Set<Passage> passages = ConcurrentHashMap.newKeySet();

    /// Null until something was changed.
    private volatile @Nullable Gate changed;

    /// With nothing under way.
    public Underway() {}

    /// What was judged before a change and begins after it is judged again.
    public void begun(Passage passage) {
        passages.add(passage);
        var gate = changed;
        if (gate != null) {
            judge(gate, passage);
        }
    }

    public void ended(Passage passage) {
        passages.remove(passage);
    }

    /// Judges everything anew, now and when it begins, and ends what is refused. What a person has to be asked about
    /// stays: that was answered when it began.
    public void revise(Gate gate) {
        changed = gate;
        passages.forEach(passage -> judge(gate, passage));
    }

    private static void judge(Gate gate, Passage passage) {
        if (gate.judge(passage.action()) instanceof Decision.Deny refused) {
            passage.revoke(refused);
        }
    }
}
