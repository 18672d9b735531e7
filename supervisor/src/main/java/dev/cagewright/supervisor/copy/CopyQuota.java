package dev.cagewright.supervisor.copy;

/// The most that all copies of one session may hold.
///
/// @param bytes on disk, as `st_blocks` counts them: holes are free; positive
/// @param entries files, directories, links and marks of removed ones; positive
public record CopyQuota(long bytes, long entries) {
    /// 8 GiB and a million entries, where the policy says nothing.
    public static final CopyQuota DEFAULT = new CopyQuota(8L << 30, 1_000_000);

    public CopyQuota {
        if (bytes < 1 || entries < 1) {
            throw new IllegalArgumentException("quota: " + bytes + " bytes, " + entries + " (expected: positive)");
        }
    }

    public CopyQuota withBytes(long changed) {
        return new CopyQuota(changed, entries);
    }

    public CopyQuota withEntries(long changed) {
        return new CopyQuota(bytes, changed);
    }
}
