package dev.cagewright.supervisor.changes;

import dev.cagewright.sandbox.files.HostFile;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256 of files.
final class Digests {
    private Digests() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing from this JDK", e);
        }
    }

    /// Reads all of `file` and closes it.
    static String of(HostFile file) throws IOException {
        var digest = sha256();
        try (file) {
            file.drainTo((bytes, count) -> digest.update(bytes, 0, count));
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
