package dev.cagewright.policy.match;

import java.util.HashMap;
import java.util.Map;

/// The edges of a tree of names: (node, name) to node, in one open-addressed table, so that a part of a longer
/// text can be looked up without cutting it out. At most half full; how long a look-up probes depends on what was
/// put in, never on what is asked. An edge is four neighbouring numbers and its name stands in one array with all
/// others: a look-up that finds touches two lines of memory.
final class EdgeTable {
    static final int NONE = -1;

    /// What a slot holds.
    private static final int HASH = 0;

    private static final int PARENT = 1;
    private static final int CHILD = 2;
    private static final int NAME = 3;
    private static final int SLOT = 4;

    private static final int POWER_1 = 31;
    private static final int POWER_2 = POWER_1 * 31;
    private static final int POWER_3 = POWER_2 * 31;
    private static final int POWER_4 = POWER_3 * 31;

    private final int[] slots;

    /// Each behind its length, which takes two.
    private final char[] names;

    private EdgeTable(int capacity, int nameChars) {
        this.slots = new int[capacity * SLOT];
        this.names = new char[nameChars];
        for (int slot = 0; slot < slots.length; slot += SLOT) {
            slots[slot + CHILD] = NONE;
        }
    }

    /// The node that `text[from, to)` leads to from `parent`, or [#NONE].
    int child(int parent, String text, int from, int to) {
        int hash = hash(parent, text, from, to);
        int slot = slot(hash);
        while (slots[slot + CHILD] != NONE) {
            if (slots[slot + HASH] == hash
                    && slots[slot + PARENT] == parent
                    && isNamed(slots[slot + NAME], text, from, to)) {
                return slots[slot + CHILD];
            }
            slot = (slot + SLOT) & (slots.length - 1);
        }
        return NONE;
    }

    private int slot(int hash) {
        return (hash * SLOT) & (slots.length - 1);
    }

    private boolean isNamed(int name, String text, int from, int to) {
        int length = to - from;
        if (names[name] != (char) length || names[name + 1] != (char) (length >>> 16)) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (names[name + 2 + i] != text.charAt(from + i)) {
                return false;
            }
        }
        return true;
    }

    /// Four characters at a time, so that the multiplications do not wait for each other.
    private static int hash(int parent, String text, int from, int to) {
        int hash = parent * 0x9E3779B9;
        int at = from;
        for (; at + 3 < to; at += 4) {
            hash = hash * POWER_4
                    + text.charAt(at) * POWER_3
                    + text.charAt(at + 1) * POWER_2
                    + text.charAt(at + 2) * POWER_1
                    + text.charAt(at + 3);
        }
        for (; at < to; at++) {
            hash = hash * POWER_1 + text.charAt(at);
        }
        hash *= 0x85EBCA6B;
        return hash ^ (hash >>> 15);
    }

    private void put(int parent, String name, int child, int place) {
        int hash = hash(parent, name, 0, name.length());
        int slot = slot(hash);
        while (slots[slot + CHILD] != NONE) {
            slot = (slot + SLOT) & (slots.length - 1);
        }
        slots[slot + HASH] = hash;
        slots[slot + PARENT] = parent;
        slots[slot + CHILD] = child;
        slots[slot + NAME] = place;
        names[place] = (char) name.length();
        names[place + 1] = (char) (name.length() >>> 16);
        name.getChars(0, name.length(), names, place + 2);
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
            int chars = 0;
            for (var edge : edges.keySet()) {
                chars = Math.addExact(chars, edge.name().length() + 2);
            }
            var table = new EdgeTable(capacity, chars);
            int place = 0;
            for (var entry : edges.entrySet()) {
                var edge = entry.getKey();
                table.put(edge.parent(), edge.name(), entry.getValue(), place);
                place += edge.name().length() + 2;
            }
            return table;
        }
    }
}
