package dev.cagewright.sandbox.host;

/// One thing about this host.
///
/// @param name short and constant, e.g. `userns`; unique in a report
/// @param detail one sentence without a full stop: what is so
/// @param remedy what to do about it on this host, a command where there is one; empty if nothing is to do
public record Finding(String name, Status status, String detail, String remedy) {

    /// What a finding means for a cage.
    public enum Status {
        /// As it should be.
        OK,
        /// Cages work, something of them does not.
        DEGRADED,
        /// Without it there is no cage of the kind that needs it.
        MISSING
    }

    static Finding ok(String name, String detail) {
        return new Finding(name, Status.OK, detail, "");
    }

    static Finding degraded(String name, String detail, String remedy) {
        return new Finding(name, Status.DEGRADED, detail, remedy);
    }

    static Finding missing(String name, String detail, String remedy) {
        return new Finding(name, Status.MISSING, detail, remedy);
    }
}
