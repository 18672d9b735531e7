package dev.cagewright.sandbox.host;

import dev.cagewright.sandbox.kernel.Processes;

/// What the kernel says of this process.
public final class ThisProcess {
    private ThisProcess() {}

    /// The user that it acts as, by number.
    public static int user() {
        return Processes.effectiveUser();
    }

    /// Leaves the session and the terminal that it was started in, so that what is typed there is not meant for it; one
    /// that leads a group stays.
    public static void leaveSession() {
        Processes.leaveSession();
    }
}
