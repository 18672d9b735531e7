package dev.cagewright.supervisor.registries;

import java.io.Serial;

/// Nobody can say where a tool fetches from; the message says why and what to do.
final class UnknownRegistryException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    UnknownRegistryException(String message) {
        super(message);
    }
}
