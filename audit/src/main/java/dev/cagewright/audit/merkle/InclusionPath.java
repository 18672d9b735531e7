package dev.cagewright.audit.merkle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// That a leaf is in a tree: the hashes beside the way from the leaf to the root, from the bottom up (RFC 9162 section
/// 2.1.3).
///
/// @param index of the leaf, from 0
/// @param size of the tree
/// @param hashes at most 63
public record InclusionPath(long index, long size, List<TreeHash> hashes) {
    public InclusionPath {
        if (index < 0 || index >= size) {
            throw new IllegalArgumentException("index: " + index + " (expected: below the tree's size " + size + ")");
        }
        hashes = List.copyOf(hashes);
    }

    /// Collects the path of a leaf.
    public static PathCollector<InclusionPath> collector(long index, long size) {
        return new PathCollector<>(spans(index, size), hashes -> new InclusionPath(index, size, hashes));
    }

    /// The root that a tree with `leaf` at this place has. Empty if a path of such a tree has another length.
    ///
    /// The algorithm is that of RFC 9162 section 2.1.3.2.
    public Optional<TreeHash> root(TreeHash leaf) {
        long node = index;
        long last = size - 1;
        var root = leaf;
        for (var beside : hashes) {
            if (last == 0) {
                return Optional.empty();
            }
            if ((node & 1) == 1 || node == last) {
                root = TreeHash.node(beside, root);
                int skipped = Long.numberOfTrailingZeros(node);
                node >>= skipped;
                last >>= skipped;
            } else {
                root = TreeHash.node(root, beside);
            }
            node >>= 1;
            last >>= 1;
        }
        return last == 0 ? Optional.of(root) : Optional.empty();
    }

    private static List<Span> spans(long index, long size) {
        var spans = new ArrayList<Span>();
        long from = 0;
        long to = size;
        while (to - from > 1) {
            long middle = from + Long.highestOneBit(to - from - 1);
            if (index < middle) {
                spans.add(new Span(middle, to));
                to = middle;
            } else {
                spans.add(new Span(from, middle));
                from = middle;
            }
        }
        Collections.reverse(spans);
        return spans;
    }
}
