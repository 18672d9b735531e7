package dev.cagewright.policy.match;

import java.util.List;
import java.util.Optional;

/// Finds which list of path patterns means a path. Immutable, safe for all threads, does not allocate when asked.
public final class PathTable {
    /// No list means it.
    public static final int NONE = PathTrees.NONE;

    private static final long ALL = -1;

    private final PathTrees trees;
    private final int root;

    private PathTable(PathTrees trees, int root) {
        this.trees = trees;
        this.root = root;
    }

    /// A table of `lists`; an absent list means every path, an empty one none.
    public static PathTable of(List<Optional<List<PathPattern>>> lists) {
        var builder = new PathTrees.Builder();
        int root = builder.newRoot();
        for (int i = 0; i < lists.size(); i++) {
            var grant = Grant.of(i, ALL, Optional.empty());
            lists.get(i)
                    .ifPresentOrElse(
                            patterns -> patterns.forEach(pattern -> builder.add(root, pattern, grant)),
                            () -> builder.addAll(root, grant));
        }
        return new PathTable(builder.build(), root);
    }

    /// The number of the first list that means `path`, or [#NONE].
    public int find(String path) {
        return trees.find(root, path, ALL, 0);
    }
}
