package dev.cagewright.secrets.store;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What one store holds.
///
/// @param next the number of the next version; only grows
/// @param items by name
record Contents(long next, SortedMap<String, Item> items) {
    static final Contents EMPTY = new Contents(1, new TreeMap<>());

    Contents {
        items = Collections.unmodifiableSortedMap(new TreeMap<>(items));
    }

    Contents with(Item item) {
        var all = new TreeMap<>(items);
        all.put(item.secret().name(), item);
        return new Contents(next, all);
    }

    Contents without(String name) {
        var all = new TreeMap<>(items);
        all.remove(name);
        return new Contents(next, all);
    }

    /// The same after a number was taken.
    Contents numbered() {
        return new Contents(next + 1, items);
    }
}
