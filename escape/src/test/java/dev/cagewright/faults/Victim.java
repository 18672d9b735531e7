package dev.cagewright.faults;

import java.util.Locale;

/// Which process of a run is killed.
enum Victim {
    /// The product's own process.
    SUPERVISOR,
    /// The spawn server.
    HELPER,
    /// The first process of the cage.
    INIT;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
