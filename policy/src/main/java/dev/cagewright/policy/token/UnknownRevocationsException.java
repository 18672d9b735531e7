package dev.cagewright.policy.token;

/// What is revoked cannot be known. The message says why.
public final class UnknownRevocationsException extends Exception {
    private static final long serialVersionUID = 1;

    private final TokenFault fault;

    public UnknownRevocationsException(TokenFault fault, String message) {
        super(message);
        this.fault = fault;
    }

    public UnknownRevocationsException(String message) {
        this(TokenFault.REVOCATIONS_UNKNOWN, message);
    }

    /// What it is to a token that asks.
    public TokenFault fault() {
        return fault;
    }
}
