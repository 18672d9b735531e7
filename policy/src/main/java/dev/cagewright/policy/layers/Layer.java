package dev.cagewright.policy.layers;

import dev.cagewright.policy.document.PolicyDocument;

/// One policy file and whose it is.
public record Layer(Rank rank, PolicyDocument document) {

    /// Whose word a file is, the highest first.
    public enum Rank {
        ORGANISATION,
        USER,
        /// The project's own file, or the one that a run names.
        PROJECT
    }
}
