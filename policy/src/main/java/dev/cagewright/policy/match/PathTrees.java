package dev.cagewright.policy.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Trees of path patterns, one for each root, in shared arrays. A tree is as deep as the literal and `*` segments of
/// its patterns; what follows a `**` is matched where it hangs. A look-up visits a node at most once, and none below
/// which every entry comes later than one that was found.
final class PathTrees {
    /// No entry.
    static final int NONE = -1;

    /// No entry yet, above every number.
    private static final int NOTHING = Integer.MAX_VALUE;

    private record Branch(SegmentGlob glob, int child) {}

    private record Tail(PathPattern pattern, Grant grant) {}

    /// What hangs at one node: entries that end there, that mean everything below, further branches.
    private static final class Node {
        Grant[] exact = NO_GRANTS;
        Grant[] below = NO_GRANTS;
        Tail[] tails = NO_TAILS;
        Branch[] branches = NO_BRANCHES;
        int anySegment = NONE;
        boolean hasLiterals;
        boolean isLeaf = true;

        /// The smallest number of an entry here or further down.
        int least = NOTHING;
    }

    private static final Grant[] NO_GRANTS = {};
    private static final Tail[] NO_TAILS = {};
    private static final Branch[] NO_BRANCHES = {};

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
        int best = visit(root, path, 1, method, port);
        return best == NOTHING ? NONE : best;
    }

    private int visit(int number, String path, int at, long method, int port) {
        var node = nodes[number];
        int best = least(node.below, method, port);
        if (at > path.length()) {
            return Math.min(best, least(node.exact, method, port));
        }
        for (Tail tail : node.tails) {
            if (tail.grant.index() < best && tail.grant.allows(method, port) && tail.pattern.tailMatches(path, at)) {
                best = tail.grant.index();
            }
        }
        if (node.isLeaf) {
            return best;
        }
        int end = PathPattern.endOfSegment(path, at);
        int literal = node.hasLiterals ? edges.child(number, path, at, end) : NONE;
        if (literal != NONE && nodes[literal].least < best) {
            best = Math.min(best, visit(literal, path, end + 1, method, port));
        }
        if (node.anySegment != NONE && end > at && nodes[node.anySegment].least < best) {
            best = Math.min(best, visit(node.anySegment, path, end + 1, method, port));
        }
        for (Branch branch : node.branches) {
            if (nodes[branch.child].least < best && branch.glob.matches(path, at, end)) {
                best = Math.min(best, visit(branch.child, path, end + 1, method, port));
            }
        }
        return best;
    }

    /// Grants stand in the order of their entries.
    private static int least(Grant[] grants, long method, int port) {
        for (Grant grant : grants) {
            if (grant.allows(method, port)) {
                return grant.index();
            }
        }
        return NOTHING;
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
            note(here, grant);
            for (SegmentGlob segment : pattern.head()) {
                here = child(here, segment);
                note(here, grant);
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
            note(root, grant);
            var node = nodes.get(root);
            node.below = with(node.below, grant);
        }

        private void note(int number, Grant grant) {
            var node = nodes.get(number);
            node.least = Math.min(node.least, grant.index());
        }

        private int child(int parent, SegmentGlob segment) {
            nodes.get(parent).isLeaf = false;
            if (segment.isLiteral()) {
                nodes.get(parent).hasLiterals = true;
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
