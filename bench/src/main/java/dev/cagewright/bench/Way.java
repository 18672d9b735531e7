package dev.cagewright.bench;

import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.ConfinementException;
import java.io.IOException;

/// One way to run `true`, from the request to its exit. Safe for all threads.
interface Way {
    /// What a run leaves to be given back, after the time has been taken.
    @FunctionalInterface
    interface Rest {
        Rest NOTHING = () -> {};

        void giveBack();
    }

    /// Its name in [Figures].
    String name();

    /// Runs it once and checks that it ended well.
    Rest once() throws IOException, InterruptedException, ConfinementException, DeniedException;

    /// Waits until what it prepares in the background is there again, so that no other way pays for it.
    default void recover() throws InterruptedException {}
}
