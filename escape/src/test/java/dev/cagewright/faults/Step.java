package dev.cagewright.faults;

import java.util.List;

/// A call of one of a run's processes, just before it happens.
///
/// @param name who, which call, on what, and the how many-th such one, e.g. `supervisor fdatasync audit.jsonl#2`
/// @param victims who is there by then
record Step(String name, List<Victim> victims) {
    Step {
        victims = List.copyOf(victims);
    }
}
