package dev.cagewright.bench;

import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.ConfinementException;
import java.io.IOException;

/// One way to run `true`, from the request to its exit. Safe for all threads.
interface Way {
    /// Its name in [Figures].
    String name();

    /// Runs it once and checks that it ended well.
    void once() throws IOException, InterruptedException, ConfinementException, DeniedException;
}
