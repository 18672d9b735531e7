package dev.cagewright.supervisor.imports;

import java.io.Serial;

/// A source that makes no policy. The message has one line for each thing that is wrong, with its place.
public final class ImportException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    ImportException(String message) {
        super(message);
    }

    ImportException(String message, Exception cause) {
        super(message, cause);
    }
}
