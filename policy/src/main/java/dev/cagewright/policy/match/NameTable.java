package dev.cagewright.policy.match;

import dev.cagewright.policy.action.GuestPath;
import java.util.List;

/// Finds which of several names stands somewhere in a path. Immutable, safe for all threads, does not allocate when
/// asked.
public final class NameTable {
    /// None does.
    public static final int NONE = -1;

    private final EdgeTable names;
    private final int[] byNode;

    private NameTable(EdgeTable names, int[] byNode) {
        this.names = names;
        this.byNode = byNode;
    }

    /// A table of `names`, in the order of their numbers; the first of equal ones counts.
    public static NameTable of(List<String> names) {
        var builder = new EdgeTable.Builder();
        int root = builder.newNode();
        var byNode = new int[names.size() + 1];
        for (int i = names.size() - 1; i >= 0; i--) {
            byNode[builder.childOrNew(root, names.get(i))] = i;
        }
        return new NameTable(builder.build(), byNode);
    }

    /// The number of the first component of `path` that is one of the names, or [#NONE].
    public int firstWithin(GuestPath path) {
        var text = path.value();
        int at = 1;
        while (at < text.length()) {
            int end = PathPattern.endOfSegment(text, at);
            int node = names.child(0, text, at, end);
            if (node != EdgeTable.NONE) {
                return byNode[node];
            }
            at = end + 1;
        }
        return NONE;
    }
}
