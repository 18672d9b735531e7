package dev.cagewright.egress.capture;

/// The steps of an exchange that are timed, in their order.
public enum Moment {
    /// The request is allowed, and its intent is on disk.
    JUDGED,
    /// The origin's addresses are known.
    RESOLVED,
    /// There is a connection to the origin.
    CONNECTED,
    /// The request was handed on to its end.
    SENT,
    /// The answer begins.
    ANSWERED,
    /// The exchange is over.
    DONE
}
