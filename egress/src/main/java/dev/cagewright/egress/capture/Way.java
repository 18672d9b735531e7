package dev.cagewright.egress.capture;

/// Whither something goes.
public enum Way {
    /// From the cage to the origin.
    REQUEST,
    /// From the origin to the cage.
    ANSWER
}
