package dev.cagewright.supervisor.resident.caller;

import dev.cagewright.supervisor.resident.caller.Callers.Caller;
import dev.cagewright.supervisor.session.RunWatcher;
import java.io.OutputStream;
import java.util.List;

/// Who looks on while a cage comes up.
public interface Onlooker {
    /// Hears when a person has to approve the set-up first.
    Caller caller();

    /// Hears sentences at once.
    void told(List<String> sentences);

    /// Gets what the set-up writes.
    OutputStream output();

    /// Stands beside the set-up.
    RunWatcher watcher();
}
