package dev.cagewright.supervisor.copy;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// How a [SessionCopy] is made of its host directory.
public enum Mechanism {
    /// overlayfs: [SessionCopy#upper] holds what differs from the host, whiteouts and opaque directories as
    /// `user.overlay.*` attributes.
    OVERLAY,
    /// [SessionCopy#upper] holds the whole tree, its blocks shared with the host's until somebody writes, FICLONE.
    REFLINK,
    /// [SessionCopy#upper] holds the whole tree, byte for byte.
    COPY;

    /// As `copy.json`, `--json` and notices spell it.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Mechanism> of(String word) {
        return Stream.of(values()).filter(one -> one.word().equals(word)).findFirst();
    }
}
