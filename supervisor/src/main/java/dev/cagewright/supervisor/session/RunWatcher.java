package dev.cagewright.supervisor.session;

import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Run;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Whoever stands beside a run: hands on signals and sizes, shows what is worth knowing.
public interface RunWatcher {
    /// It is settled what the cage will be and how its program will start. Comes again when a cage has to be planned
    /// anew.
    default void planned(CageSpec spec, Launch launch) {}

    /// The cage stands and the program is about to start.
    ///
    /// @param warrant what allows it
    /// @param notices what a person should hear about
    void starting(Warrant warrant, List<String> notices);

    /// The program runs, or is over already.
    ///
    /// @return closed when the program has ended
    /// @throws IOException if it cannot be watched; the program is killed
    Watch started(Run run) throws IOException;

    /// Why it ended, where that was the watcher's doing.
    default Optional<Exit.Cause> ended() {
        return Optional.empty();
    }

    /// What a watcher holds while the program runs.
    @FunctionalInterface
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
