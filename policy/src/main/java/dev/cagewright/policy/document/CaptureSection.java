package dev.cagewright.policy.document;

import dev.cagewright.policy.quantity.ByteSize;
import java.util.Optional;

/// `capture`: what is kept of the traffic for later reading.
///
/// @param body the most of each body that is kept; absent means none
public record CaptureSection(Har har, Optional<ByteSize> body) {
    /// Whether exchanges are written as HAR 1.2.
    public enum Har {
        OFF,
        ON
    }
}
