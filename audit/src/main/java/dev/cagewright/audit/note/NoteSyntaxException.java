package dev.cagewright.audit.note;

/// Bytes are no signed note, no checkpoint or no proof. The message is the end of a sentence that starts with what was
/// read, without a full stop: `has no blank line before its signatures`.
public final class NoteSyntaxException extends Exception {
    private static final long serialVersionUID = 1;

    public NoteSyntaxException(String reason) {
        super(reason);
    }
}
