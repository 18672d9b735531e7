package dev.cagewright.audit.json;

/// A text is not the strict JSON that was asked for. The message starts with the place: `byte 17: ...`.
public final class JsonSyntaxException extends Exception {
    private static final long serialVersionUID = 1;

    private final int offset;

    /// What is wrong and where.
    ///
    /// @param offset of the first byte that is wrong, from 0
    public JsonSyntaxException(int offset, String reason) {
        super("byte " + offset + ": " + reason);
        this.offset = offset;
    }

    /// Where the first wrong byte is, from 0.
    public int offset() {
        return offset;
    }
}
