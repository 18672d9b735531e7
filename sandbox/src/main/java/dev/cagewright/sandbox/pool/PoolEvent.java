package dev.cagewright.sandbox.pool;

/// What a pool tells its owner, so that no cage vanishes in silence.
public sealed interface PoolEvent {
    /// The specification it is about.
    SpecDigest spec();

    /// A waiting cage was of no use any more and is destroyed.
    ///
    /// @param reason what has changed, or that it died or grew too old
    record Discarded(SpecDigest spec, String reason) implements PoolEvent {}

    /// A cage could not be built ahead; the pool tries again later.
    record BuildFailed(SpecDigest spec, Exception cause) implements PoolEvent {}

    /// Nobody asked for this specification for so long that its cages are destroyed and no more are built.
    record Forgotten(SpecDigest spec) implements PoolEvent {}
}
