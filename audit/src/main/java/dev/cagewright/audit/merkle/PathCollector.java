package dev.cagewright.audit.merkle;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Computes a path while the leaves of a tree pass by once, in order. Keeps O(log n) hashes. Not safe for several
/// threads.
///
/// @param <P> the path
public final class PathCollector<P> {
    private final List<Span> path;
    private final List<Span> ahead;
    private final Map<Span, TreeHash> found = new HashMap<>();
    private final Function<List<TreeHash>, P> result;
    private CompactRange open = CompactRange.empty();
    private long position;
    private int current;

    PathCollector(List<Span> path, Function<List<TreeHash>, P> result) {
        this.path = path;
        this.ahead = path.stream().sorted(Comparator.comparingLong(Span::from)).toList();
        this.result = result;
    }

    /// Takes the next leaf, by its hash; those behind the tree's end are ignored.
    public void take(TreeHash leaf) {
        if (current < ahead.size()) {
            var span = ahead.get(current);
            if (position >= span.from()) {
                open.add(leaf);
            }
            if (position == span.to() - 1) {
                found.put(span, open.root());
                open = CompactRange.empty();
                current++;
            }
        }
        position++;
    }

    /// The path.
    ///
    /// @throws IllegalStateException if leaves are missing
    public P path() {
        if (current < ahead.size()) {
            throw new IllegalStateException("leaves: " + position + " (expected: those up to the tree's end)");
        }
        return result.apply(path.stream().map(span -> find(span)).toList());
    }

    private TreeHash find(Span span) {
        var hash = found.get(span);
        if (hash == null) {
            throw new IllegalStateException("span " + span + " was not passed");
        }
        return hash;
    }
}
