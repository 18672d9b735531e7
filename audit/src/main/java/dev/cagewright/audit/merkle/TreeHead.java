package dev.cagewright.audit.merkle;

/// A tree at one moment.
///
/// @param size how many leaves, from 0
/// @param root of a tree of that size
public record TreeHead(long size, TreeHash root) {
    public TreeHead {
        if (size < 0) {
            throw new IllegalArgumentException("size: " + size + " (expected: 0 or more)");
        }
    }
}
