package dev.cagewright.sandbox.terminal;

import dev.cagewright.sandbox.kernel.Processes;

/// Stopping as Ctrl-Z does, so that a shell takes its terminal back.
public final class JobControl {
    private JobControl() {}

    /// Stops this process with its group and returns when it goes on. A group whose shell does no job control is not
    /// stopped, setpgid(2) on orphaned groups; then it returns at once. `SIGTSTP` must have its default meaning
    /// meanwhile.
    public static void suspend() {
        Processes.suspend();
    }
}
