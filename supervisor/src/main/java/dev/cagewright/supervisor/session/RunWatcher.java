package dev.cagewright.supervisor.session;

import dev.cagewright.sandbox.Run;
import java.util.List;

/// Whoever stands beside a run: hands on signals and sizes, shows what is worth knowing.
@FunctionalInterface
public interface RunWatcher {
    /// Nobody.
    RunWatcher NONE = (_, _) -> {};

    /// The program is about to run or runs already; called once, before the end is awaited.
    ///
    /// @param notices what a person should hear about before the program's own output
    void started(Run run, List<String> notices);
}
