package dev.cagewright.policy.match;

import dev.cagewright.policy.action.GuestPath;
import java.util.Arrays;
import java.util.List;

/// Finds the innermost of several trees that a path lies in. Immutable, safe for all threads, does not allocate when
/// asked.
public final class MountTable {
    /// It lies in none.
    public static final int NONE = -1;

    private static final int ROOT = 0;

    private final EdgeTable names;
    private final int[] byNode;

    private MountTable(EdgeTable names, int[] byNode) {
        this.names = names;
        this.byNode = byNode;
    }

    /// A table of `trees`, which are known by their numbers; of equal ones the last wins.
    public static MountTable of(List<GuestPath> trees) {
        var builder = new EdgeTable.Builder();
        builder.newNode();
        var nodes = new int[trees.size()];
        for (int i = 0; i < nodes.length; i++) {
            int node = ROOT;
            var text = trees.get(i).value();
            if (!text.equals("/")) {
                for (String name : text.substring(1).split("/", -1)) {
                    node = builder.childOrNew(node, name);
                }
            }
            nodes[i] = node;
        }
        var byNode = new int[builder.nodes()];
        Arrays.fill(byNode, NONE);
        for (int i = 0; i < nodes.length; i++) {
            byNode[nodes[i]] = i;
        }
        return new MountTable(builder.build(), byNode);
    }

    /// The number of the innermost tree around `path`, or [#NONE].
    public int innermost(GuestPath path) {
        var text = path.value();
        int node = ROOT;
        int found = byNode[ROOT];
        int at = 1;
        while (at < text.length()) {
            int end = PathPattern.endOfSegment(text, at);
            node = names.child(node, text, at, end);
            if (node == EdgeTable.NONE) {
                return found;
            }
            found = byNode[node] == NONE ? found : byNode[node];
            at = end + 1;
        }
        return found;
    }
}
