package dev.cagewright.policy.match;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// The edges of a tree of names: (node, name) to node, in one open-addressed table, so that a part of a longer
/// text can be looked up without cutting it out. At most half full; how long a look-up probes depends on what was
/// put in, never on what is asked.
final class EdgeTable {
    static final int NONE = -1;

    private final int[] parents;
    private final int[] children;
    private final String[] names;

    private EdgeTable(int capacity) {
        this.parents = new int[capacity];
        this.children = new int[capacity];
        this.names = new String[capacity];
        Arrays.fill(children, NONE);
    }

    /// The node that `text[from, to)` leads to from `parent`, or [#NONE].
    int child(int parent, String text, int from, int to) {
        int length = to - from;
        int slot = slot(parent, text, from, to);
        while (children[slot] != NONE) {
            var name = names[slot];
            if (parents[slot] == parent && name.length() == length && text.startsWith(name, from)) {
                return children[slot];
            }
            slot = (slot + 1) & (children.length - 1);
        }
        return NONE;
    }

    private int slot(int parent, String text, int from, int to) {
        int hash = parent * 0x9E3779B9;
        for (int i = from; i < to; i++) {
            hash = hash * 31 + text.charAt(i);
        }
        hash *= 0x85EBCA6B;
        return (hash ^ (hash >>> 15)) & (children.length - 1);
    }

    private void put(int parent, String name, int child) {
        int slot = slot(parent, name, 0, name.length());
        while (children[slot] != NONE) {
            slot = (slot + 1) & (children.length - 1);
        }
        parents[slot] = parent;
        names[slot] = name;
        children[slot] = child;
    }

    /// Collects edges and hands out node numbers from 0, which is the first root.
    static final class Builder {
        private record Edge(int parent, String name) {}

        private final Map<Edge, Integer> edges = new HashMap<>();
        private int nodes;

        int newNode() {
            return nodes++;
        }

        int childOrNew(int parent, String name) {
            return edges.computeIfAbsent(new Edge(parent, name), _ -> newNode());
        }

        int nodes() {
            return nodes;
        }

        EdgeTable build() {
            int capacity = Integer.highestOneBit(Math.max(4, edges.size() * 4) - 1) << 1;
            var table = new EdgeTable(capacity);
            edges.forEach((edge, child) -> table.put(edge.parent(), edge.name(), child));
            return table;
        }
    }
}
