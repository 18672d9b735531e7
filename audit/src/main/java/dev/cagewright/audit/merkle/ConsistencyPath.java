package dev.cagewright.audit.merkle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// That a tree is the beginning of another: RFC 9162 section 2.1.4. Empty for equal trees and for an old tree without
/// leaves.
///
/// @param from the old tree's size
/// @param to the new tree's size
/// @param hashes at most 64
public record ConsistencyPath(long from, long to, List<TreeHash> hashes) {
    public ConsistencyPath {
        if (from < 0 || from > to) {
            throw new IllegalArgumentException("old size: " + from + " (expected: 0 to the new size " + to + ")");
        }
        hashes = List.copyOf(hashes);
    }

    /// Collects the path between two sizes of one tree.
    public static PathCollector<ConsistencyPath> collector(long from, long to) {
        return new PathCollector<>(spans(from, to), hashes -> new ConsistencyPath(from, to, hashes));
    }

    /// Does a tree with the root `old` begin the tree with the root `now`? The algorithm is that of RFC 9162 section
    /// 2.1.4.2.
    public boolean connects(TreeHash old, TreeHash now) {
        if (from == to || from == 0) {
            return hashes.isEmpty() && old.equals(from == to ? now : TreeHash.EMPTY);
        }
        int trailing = Long.numberOfTrailingZeros(from);
        boolean complete = Long.bitCount(from) == 1;
        if (hashes.isEmpty()) {
            return false;
        }
        var first = complete ? old : hashes.getFirst();
        return new Climb((from - 1) >> trailing, (to - 1) >> trailing, first)
                .along(hashes.subList(complete ? 0 : 1, hashes.size()), old, now);
    }

    /// Both roots, computed on one way up.
    private static final class Climb {
        private long node;
        private long last;
        private TreeHash old;
        private TreeHash now;

        Climb(long node, long last, TreeHash first) {
            this.node = node;
            this.last = last;
            this.old = first;
            this.now = first;
        }

        boolean along(List<TreeHash> path, TreeHash oldRoot, TreeHash nowRoot) {
            for (var beside : path) {
                if (last == 0) {
                    return false;
                }
                if ((node & 1) == 1 || node == last) {
                    old = TreeHash.node(beside, old);
                    now = TreeHash.node(beside, now);
                    int skipped = Long.numberOfTrailingZeros(node);
                    node >>= skipped;
                    last >>= skipped;
                } else {
                    now = TreeHash.node(now, beside);
                }
                node >>= 1;
                last >>= 1;
            }
            return last == 0 && old.equals(oldRoot) && now.equals(nowRoot);
        }
    }

    private static List<Span> spans(long old, long size) {
        var spans = new ArrayList<Span>();
        long from = 0;
        long to = size;
        if (old == 0) {
            return spans;
        }
        while (to != old) {
            long middle = from + Long.highestOneBit(to - from - 1);
            if (old <= middle) {
                spans.add(new Span(middle, to));
                to = middle;
            } else {
                spans.add(new Span(from, middle));
                from = middle;
            }
        }
        if (from > 0) {
            spans.add(new Span(from, to));
        }
        Collections.reverse(spans);
        return spans;
    }
}
