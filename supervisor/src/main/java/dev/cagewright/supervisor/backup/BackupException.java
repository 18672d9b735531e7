package dev.cagewright.supervisor.backup;

import java.io.IOException;
import java.io.Serial;

/// An archive is not what a backup is; nothing of it was restored.
public final class BackupException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    BackupException(String message) {
        super("the archive " + message);
    }
}
