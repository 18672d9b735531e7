package dev.cagewright.audit.event;

/// Some bytes are not a line of the audit log. The message says why in one sentence without a full stop.
public final class LineSyntaxException extends Exception {
    private static final long serialVersionUID = 1;

    /// One sentence without a full stop.
    public LineSyntaxException(String reason) {
        super(reason);
    }
}
