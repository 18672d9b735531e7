package dev.cagewright.policy.token;

/// A token was refused where one was needed. The message is for people and shows nothing that could be used.
public final class RefusedTokenException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Verification.Refused refused;

    public RefusedTokenException(Verification.Refused refused) {
        super(refused.why() + " (rule " + refused.fault().rule() + ")");
        this.refused = refused;
    }

    public Verification.Refused refused() {
        return refused;
    }
}
