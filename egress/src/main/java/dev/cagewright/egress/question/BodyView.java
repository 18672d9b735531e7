package dev.cagewright.egress.question;

import dev.cagewright.policy.action.ByteString;
import java.util.HexFormat;
import java.util.List;

/// A body as a person is shown it.
///
/// @param length bytes
/// @param sha256 of all of it
/// @param excerpt its beginning
public record BodyView(int length, ByteString sha256, ByteString excerpt) {
    /// The most that is shown, bytes.
    static final int EXCERPT = 600;

    BodyView(int length, byte[] sha256, byte[] excerpt) {
        this(length, ByteString.copyOf(sha256), ByteString.copyOf(excerpt));
    }

    List<String> lines() {
        if (length == 0) {
            return List.of("no body");
        }
        var digest = HexFormat.of().formatHex(sha256.toByteArray(), 0, 8);
        var end = length > excerpt.size() ? " ... (" + (length - excerpt.size()) + " bytes more)" : "";
        return List.of("body: " + length + " bytes, SHA-256 " + digest + "...", "  " + excerpt.printable() + end);
    }
}
