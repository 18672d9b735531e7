package dev.cagewright.audit.event;

import java.security.MessageDigest;
import java.util.HexFormat;

/// Computes the hash of a line: SHA-256 over the 64 hexadecimal digits of the hash before it, then the line's bytes
/// up to the comma in front of its own `hash` member. Not safe for several threads.
public final class LineDigest {
    private final MessageDigest sha = FieldBounds.sha256();

    /// Ready for any number of lines.
    public LineDigest() {}

    /// The hash that `line` must carry, 64 hexadecimal digits.
    ///
    /// @param line a line that parsed
    public String hash(String prev, byte[] line) {
        sha.update(LineFormat.ascii(prev));
        sha.update(line, 0, line.length - LineFormat.HASH_MEMBER);
        return HexFormat.of().formatHex(sha.digest());
    }
}
