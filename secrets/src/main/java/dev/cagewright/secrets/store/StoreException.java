package dev.cagewright.secrets.store;

import java.io.IOException;
import java.io.Serial;

/// A store that cannot be used, and nothing of it was changed. The message says which file, why, and what to do; never
/// a value.
public final class StoreException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
