package dev.cagewright.supervisor.backup;

/// How large a backup may be.
final class Bounds {
    /// Things of a home.
    static final int ENTRIES = 200_000;

    /// All bytes of all files together.
    static final long BYTES = 16L << 30;

    /// Folders within each other.
    static final int DEPTH = 200;

    /// Of the manifest, bytes.
    static final int MANIFEST = 128 << 20;

    /// Of a file that is read as a whole, bytes.
    static final int TEXT = 1 << 20;

    /// Of the sealed secrets, bytes.
    static final int SECRETS = 64 << 20;

    private Bounds() {}
}
