package dev.cagewright.supervisor.hatch;

/// What came is no request that is answered. The message says what was expected.
final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;

    BadRequestException(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
