package dev.cagewright.egress.upstream;

import java.io.IOException;

/// An origin could not be had. The message says which and why, in one line that a client may read.
public final class UnreachedException extends IOException {
    private static final long serialVersionUID = 1;

    UnreachedException(String message) {
        super(message);
    }
}
