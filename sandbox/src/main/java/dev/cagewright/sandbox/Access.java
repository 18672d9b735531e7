package dev.cagewright.sandbox;

/// What a cage may do below a mount.
public enum Access {
    READ_ONLY,
    READ_WRITE
}
