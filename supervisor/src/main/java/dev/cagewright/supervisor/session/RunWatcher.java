package dev.cagewright.supervisor.session;

import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.Run;
import java.io.IOException;
import java.util.List;

/// Whoever stands beside a run: hands on signals and sizes, shows what is worth knowing.
@FunctionalInterface
public interface RunWatcher {
    /// Nobody.
    RunWatcher NONE = (_, _, _) -> () -> {};

    /// The program runs, or is over already; called once.
    ///
    /// @param warrant what allowed it, spent
    /// @param notices what a person should hear about
    /// @return closed when the program has ended
    /// @throws IOException if it cannot be watched; the program is killed
    Watch started(Warrant warrant, Run run, List<String> notices) throws IOException;

    /// What a watcher holds while the program runs.
    @FunctionalInterface
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
