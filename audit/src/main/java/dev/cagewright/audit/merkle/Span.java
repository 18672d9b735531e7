package dev.cagewright.audit.merkle;

/// Neighbouring leaves whose root a path contains.
///
/// @param from the first leaf, from 0
/// @param to behind the last leaf
record Span(long from, long to) {}
