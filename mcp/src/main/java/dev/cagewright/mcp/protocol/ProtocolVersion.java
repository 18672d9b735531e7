package dev.cagewright.mcp.protocol;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A published version of the protocol, oldest first. Up to 2025-11-25 a client opens with `initialize` and both sides
/// remember what was agreed; from 2026-07-28 on every request says by itself what it needs, and nothing is remembered.
public enum ProtocolVersion {
    V2024_11_05("2024-11-05"),
    V2025_03_26("2025-03-26"),
    V2025_06_18("2025-06-18"),
    V2025_11_25("2025-11-25"),
    V2026_07_28("2026-07-28");

    /// What a client gets that opens with a version nobody knows.
    public static final ProtocolVersion NEWEST_OPENED = V2025_11_25;

    private final String text;

    ProtocolVersion(String text) {
        this.text = text;
    }

    /// As it stands in messages.
    public String text() {
        return text;
    }

    /// Does every request stand for itself, or does a session begin with `initialize`?
    public boolean isStateless() {
        return isAtLeast(V2026_07_28);
    }

    /// May several messages come as one array? One version alone allowed that.
    public boolean hasBatches() {
        return this == V2025_03_26;
    }

    public boolean isAtLeast(ProtocolVersion other) {
        return compareTo(other) >= 0;
    }

    /// The version of that text.
    public static Optional<ProtocolVersion> of(String text) {
        return Arrays.stream(values())
                .filter(version -> version.text.equals(text))
                .findFirst();
    }

    /// All, newest first.
    public static List<String> texts() {
        return Arrays.stream(values()).map(ProtocolVersion::text).toList().reversed();
    }
}
