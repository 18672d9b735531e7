package dev.cagewright.supervisor.named;

import java.io.IOException;
import java.io.Serial;

/// A file of a named cage says that it is another's.
public final class NotOfThisCageException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    NotOfThisCageException(String message) {
        super(message);
    }
}
