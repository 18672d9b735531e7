package dev.cagewright.sandbox.unisolated;

import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.Runtime;

/// Starts programs as plain processes of the host. Policy and log still hold; nothing else does, and every
/// limit but time and output is a named gap. Safe for all threads; holds nothing.
@SuppressWarnings("AvoidCommonTypeNames") // the port's name
public final class UnisolatedRuntime implements Runtime {
    /// Holds nothing, so nothing can fail.
    public static UnisolatedRuntime start() {
        return new UnisolatedRuntime();
    }

    private UnisolatedRuntime() {}

    @Override
    public String name() {
        return "unisolated";
    }

    @Override
    public Cage create(CageSpec spec) {
        return new UnisolatedCage(spec);
    }

    @Override
    public void close() {}
}
