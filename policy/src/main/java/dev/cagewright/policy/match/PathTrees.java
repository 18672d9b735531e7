package dev.cagewright.policy.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Trees of path patterns, one for each root, in shared arrays. A tree is as deep as the literal and `*` segments of
/// its patterns; what follows a `**` is matched where it hangs. A look-up visits a node at most once.
final class PathTrees {
    /// No entry.
    static final int NONE = -1;

    private record Branch(SegmentGlob glob, int child) {}

    private record Tail(PathPattern pattern, Grant grant) {}

    /// What hangs at one node: entries that end there, that mean everything below, further branches.
    private static final class Node {
        Grant[] exact = {};
        Grant[] below = {};
        Tail[] tails = {};
        Branch[] branches = {};
        int anySegment = NONE;
    }

    private final EdgeTable edges;
    private final Node[] nodes;

    private PathTrees(EdgeTable edges, Node[] nodes) {
        this.edges = edges;
        this.nodes = nodes;
    }

    /// The smallest number of an entry under `root` that lets this through, or [#NONE].
    ///
    /// @param path in the spelling of [dev.cagewright.policy.action.RequestPath]
    int find(int root, String path, long method, int port) {
        return visit(root, path, 1, method, port);
    }

    private int visit(int number, String path, int at, long method, int port) {
        var node = nodes[number];
        int best = least(node.below, method, port);
        if (at > path.length()) {
            return smaller(best, least(node.exact, method, port));
        }
        for (Tail tail : node.tails) {
            if (tail.grant.allows(method, port) && tail.pattern.tailMatches(path, at)) {
                best = smaller(best, tail.grant.index());
            }
        }
        int end = PathPattern.endOfSegment(path, at);
        int literal = edges.child(number, path, at, end);
        if (literal != EdgeTable.NONE) {
            best = smaller(best, visit(literal, path, end + 1, method, port));
        }
        if (node.anySegment != NONE && end > at) {
            best = smaller(best, visit(node.anySegment, path, end + 1, method, port));
        }
        for (Branch branch : node.branches) {
            if (branch.glob.matches(path, at, end)) {
                best = smaller(best, visit(branch.child, path, end + 1, method, port));
            }
        }
        return best;
    }

    private static int smaller(int one, int other) {
        return one == NONE ? other : other == NONE ? one : Math.min(one, other);
    }

    /// Grants stand in the order of their entries.
    private static int least(Grant[] grants, long method, int port) {
        for (Grant grant : grants) {
            if (grant.allows(method, port)) {
                return grant.index();
            }
        }
        return NONE;
    }

    /// Collects patterns; entries come in the order of their numbers.
    static final class Builder {
        private final EdgeTable.Builder edges = new EdgeTable.Builder();
        private final List<Node> nodes = new ArrayList<>();

        int newRoot() {
            return node(edges.newNode());
        }

        private int node(int number) {
            while (nodes.size() <= number) {
                nodes.add(new Node());
            }
            return number;
        }

        void add(int root, PathPattern pattern, Grant grant) {
            int here = root;
            for (SegmentGlob segment : pattern.head()) {
                here = child(here, segment);
            }
            var node = nodes.get(here);
            var chunks = pattern.chunks();
            if (chunks.isEmpty()) {
                node.exact = with(node.exact, grant);
            } else if (chunks.stream().allMatch(List::isEmpty)) {
                node.below = with(node.below, grant);
            } else {
                node.tails = Arrays.copyOf(node.tails, node.tails.length + 1);
                node.tails[node.tails.length - 1] = new Tail(pattern, grant);
            }
        }

        /// Everything, as `/**` has it.
        void addAll(int root, Grant grant) {
            var node = nodes.get(root);
            node.below = with(node.below, grant);
        }

        private int child(int parent, SegmentGlob segment) {
            if (segment.isLiteral()) {
                return node(edges.childOrNew(parent, segment.literal()));
            }
            var node = nodes.get(parent);
            if (segment.isAny()) {
                if (node.anySegment == NONE) {
                    node.anySegment = newRoot();
                }
                return node.anySegment;
            }
            for (Branch branch : node.branches) {
                if (branch.glob.equals(segment)) {
                    return branch.child;
                }
            }
            int child = newRoot();
            node.branches = Arrays.copyOf(node.branches, node.branches.length + 1);
            node.branches[node.branches.length - 1] = new Branch(segment, child);
            return child;
        }

        private static Grant[] with(Grant[] grants, Grant grant) {
            var longer = Arrays.copyOf(grants, grants.length + 1);
            longer[grants.length] = grant;
            return longer;
        }

        PathTrees build() {
            return new PathTrees(edges.build(), nodes.toArray(Node[]::new));
        }
    }
}
