package dev.cagewright.sandbox;

/// Why a cage is killed; what its runs report as their cause.
public enum KillReason {
    /// A person or the supervisor asked for it.
    REQUESTED(Exit.Cause.KILLED),
    TIMEOUT(Exit.Cause.TIMEOUT),
    MEMORY(Exit.Cause.MEMORY),
    OUTPUT(Exit.Cause.OUTPUT),
    /// Its copies hold more bytes than they may.
    DISK(Exit.Cause.DISK),
    /// Its copies hold more files than they may.
    FILES(Exit.Cause.FILES),
    /// What a mask protects lay open, and could not be covered again or was not as it had been.
    UNCOVERED(Exit.Cause.UNCOVERED);

    private final Exit.Cause cause;

    KillReason(Exit.Cause cause) {
        this.cause = cause;
    }

    public Exit.Cause cause() {
        return cause;
    }
}
