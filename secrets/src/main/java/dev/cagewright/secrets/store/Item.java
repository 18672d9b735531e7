package dev.cagewright.secrets.store;

import java.util.List;

/// A secret and its sealed values.
///
/// @param values as many as `secret` has versions, in their order
record Item(Stored secret, List<Sealed> values) {
    Item {
        values = List.copyOf(values);
    }

    Sealed current() {
        return values.getLast();
    }

    Item with(Stored other) {
        return new Item(other, values);
    }
}
