package dev.cagewright.policy.token;

import java.util.List;
import java.util.Optional;

/// What is revoked, as it stands when it is asked. Does not block for long; safe for all threads.
@FunctionalInterface
public interface Revocations {
    /// The first of `lineage` that is revoked; empty when none is.
    ///
    /// @param lineage the names of a chain, root first
    /// @throws UnknownRevocationsException if that cannot be known now; whoever asks must refuse
    Optional<RevId> firstOf(List<RevId> lineage) throws UnknownRevocationsException;
}
