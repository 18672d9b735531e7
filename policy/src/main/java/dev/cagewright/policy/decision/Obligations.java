package dev.cagewright.policy.decision;

/// What whoever acts on an allowed action still owes.
///
/// @param maxResponseBytes the most it may take in, `Long.MAX_VALUE` for no bound
public record Obligations(long maxResponseBytes) {
    public static final Obligations NONE = new Obligations(Long.MAX_VALUE);
}
