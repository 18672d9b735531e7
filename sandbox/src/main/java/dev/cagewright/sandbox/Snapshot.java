package dev.cagewright.sandbox;

import java.time.Duration;

/// How a cage stands at one moment.
///
/// @param processes alive, the cage's own first process not counted
/// @param memoryBytes resident, all processes together
/// @param cpu used so far by the processes alive, or by all where a control group counts
public record Snapshot(String id, State state, int processes, long memoryBytes, Duration cpu) {
    public enum State {
        RUNNING,
        PAUSED,
        /// No process is left.
        ENDED
    }
}
