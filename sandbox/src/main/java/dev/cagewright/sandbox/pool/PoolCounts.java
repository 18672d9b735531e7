package dev.cagewright.sandbox.pool;

/// How a pool has served so far.
///
/// @param ready waiting now
/// @param claimed cages that came out of the pool
/// @param missed cages that were built because none waited
/// @param discarded waiting cages that were destroyed unused
/// @param failed attempts to build one ahead
public record PoolCounts(int ready, long claimed, long missed, long discarded, long failed) {}
