package dev.cagewright.egress.inspect.credential;

/// Hears what was found.
@FunctionalInterface
interface Sightings {
    /// Something was found.
    ///
    /// @param kind of a [Format]
    /// @param at where the secret part begins in what is sent
    void saw(String kind, long at);
}
