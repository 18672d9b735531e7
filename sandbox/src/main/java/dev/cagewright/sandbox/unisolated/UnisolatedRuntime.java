package dev.cagewright.sandbox.unisolated;

import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Runtime;
import java.util.concurrent.atomic.AtomicBoolean;

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

    /// @throws ConfinementException if writes shall go elsewhere, which only mounts can do
    @Override
    public Cage create(CageSpec spec) throws ConfinementException {
        if (!spec.diversions().isEmpty()) {
            throw new ConfinementException(
                    "copy",
                    "divert(" + spec.diversions().getFirst().at() + ")",
                    "a program without a cage writes to the host",
                    "run with isolation, or without --copy and source: session-copy");
        }
        return new UnisolatedCage(spec);
    }

    /// There is nothing to build, so nothing is built ahead.
    @Override
    public Spare spare(CageSpec spec) {
        return new Spare() {
            private final AtomicBoolean claimed = new AtomicBoolean();

            @Override
            public Cage claim(String id) throws ConfinementException {
                if (claimed.getAndSet(true)) {
                    throw new IllegalStateException("spare was claimed before");
                }
                return create(spec.withId(id));
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {}
}
