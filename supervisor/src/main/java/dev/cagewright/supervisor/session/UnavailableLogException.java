package dev.cagewright.supervisor.session;

import java.io.IOException;

/// The audit log cannot be opened for appending, so nothing may happen.
public final class UnavailableLogException extends Exception {
    private static final long serialVersionUID = 1;

    UnavailableLogException(IOException cause) {
        super("the audit log cannot be written: " + cause.getMessage(), cause);
    }
}
