package dev.cagewright.supervisor.session;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Runtime;

/// Starts the runtime that a run's cage comes from.
@FunctionalInterface
public interface RuntimeSource {
    /// Whoever calls this closes what it returns.
    Runtime start() throws ConfinementException;
}
