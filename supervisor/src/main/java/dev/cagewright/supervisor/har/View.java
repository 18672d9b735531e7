package dev.cagewright.supervisor.har;

/// Which side of the gateway is shown.
public enum View {
    /// What the cage sent and got; refused requests are among it.
    INBOUND,
    /// What the gateway sent to origins and got from them.
    OUTBOUND
}
