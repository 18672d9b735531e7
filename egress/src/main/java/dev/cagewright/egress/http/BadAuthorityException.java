package dev.cagewright.egress.http;

/// A text that names no host, or names one in a way that two programs read differently. The message is fit for the body
/// of a 400: it says what was expected, and what came, escaped and bounded.
public final class BadAuthorityException extends Exception {
    private static final long serialVersionUID = 1;

    BadAuthorityException(String message) {
        super(message);
    }
}
