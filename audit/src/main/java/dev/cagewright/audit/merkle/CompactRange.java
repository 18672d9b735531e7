package dev.cagewright.audit.merkle;

import java.util.ArrayList;
import java.util.List;

/// A tree that grows leaf by leaf and keeps only the roots of its complete subtrees, one for each bit that is set in
/// its size: at most 63 hashes. Not safe for several threads.
public final class CompactRange {
    private final List<TreeHash> roots;
    private long size;

    private CompactRange(long size, List<TreeHash> roots) {
        this.size = size;
        this.roots = roots;
    }

    /// A tree without leaves.
    public static CompactRange empty() {
        return new CompactRange(0, new ArrayList<>());
    }

    /// The tree that [#size] and [#roots] of another one describe.
    ///
    /// @throws IllegalArgumentException if a tree of that size has another number of complete subtrees
    public static CompactRange of(long size, List<TreeHash> roots) {
        if (size < 0 || Long.bitCount(size) != roots.size()) {
            throw new IllegalArgumentException(
                    "subtrees: " + roots.size() + " (expected: as many as a tree of " + size + " leaves has)");
        }
        return new CompactRange(size, new ArrayList<>(roots));
    }

    /// Appends a leaf, by its hash.
    public void add(TreeHash leaf) {
        var hash = leaf;
        for (long bits = size; (bits & 1) == 1; bits >>= 1) {
            hash = TreeHash.node(roots.removeLast(), hash);
        }
        roots.add(hash);
        size++;
    }

    /// How many leaves there are.
    public long size() {
        return size;
    }

    /// The roots of the complete subtrees, the largest first.
    public List<TreeHash> roots() {
        return List.copyOf(roots);
    }

    /// The root of the whole tree.
    public TreeHash root() {
        if (roots.isEmpty()) {
            return TreeHash.EMPTY;
        }
        var hash = roots.getLast();
        for (int i = roots.size() - 2; i >= 0; i--) {
            hash = TreeHash.node(roots.get(i), hash);
        }
        return hash;
    }

    /// What a checkpoint says about this tree.
    public TreeHead head() {
        return new TreeHead(size, root());
    }
}
