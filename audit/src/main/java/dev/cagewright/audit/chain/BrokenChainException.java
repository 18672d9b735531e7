package dev.cagewright.audit.chain;

/// A log is not what its writer wrote. The message is one sentence without a full stop.
public final class BrokenChainException extends Exception {
    private static final long serialVersionUID = 1;

    private final long line;
    private final long offset;

    /// What is wrong and where.
    ///
    /// @param line the number of the first wrong line, from 1
    /// @param offset of that line's first byte, from 0
    public BrokenChainException(long line, long offset, String reason) {
        super(reason);
        this.line = line;
        this.offset = offset;
    }

    public long line() {
        return line;
    }

    public long offset() {
        return offset;
    }
}
