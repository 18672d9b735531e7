package dev.cagewright.supervisor.resident;

import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Runtime;

/// One runtime for all cages of the supervisor: a cage that goes down leaves it.
///
/// @param runtime the supervisor's
record SharedRuntime(Runtime runtime) implements Runtime {
    @Override
    public String name() {
        return runtime.name();
    }

    @Override
    public Cage create(CageSpec spec) throws ConfinementException {
        return runtime.create(spec);
    }

    @Override
    public Spare spare(CageSpec spec) throws ConfinementException {
        return runtime.spare(spec);
    }

    /// Whoever has the supervisor closes it.
    @Override
    public void close() {}
}
