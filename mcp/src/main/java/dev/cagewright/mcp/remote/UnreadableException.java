package dev.cagewright.mcp.remote;

import java.io.IOException;
import java.util.Optional;

/// What a server sent cannot be taken for what it is to be. The message is a clause that goes on behind its name.
final class UnreadableException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final int DEEPEST = 12;

    UnreadableException(String message) {
        super(message);
    }

    /// The one that `failure` comes from, if it does.
    static Optional<String> in(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
            if (cause instanceof UnreadableException found) {
                return Optional.of(String.valueOf(found.getMessage()));
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }
}
