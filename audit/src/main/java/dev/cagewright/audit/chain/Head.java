package dev.cagewright.audit.chain;

import dev.cagewright.audit.event.LineFormat;
import java.time.Instant;

/// Where a log ends.
///
/// @param seq of the last line, 0 if there is none
/// @param hash of the last line
/// @param time of the last line
/// @param end the offset behind the last line's line end, in bytes
public record Head(long seq, String hash, Instant time, long end) {
    /// In front of the first line.
    public static final Head START = new Head(0, LineFormat.NO_HASH, Instant.MIN, 0);
}
