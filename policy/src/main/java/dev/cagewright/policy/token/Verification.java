package dev.cagewright.policy.token;

/// What became of verifying a token.
public sealed interface Verification {
    /// It is genuine, and holds as long as it is not over or revoked.
    record Genuine(Token token) implements Verification {}

    /// It is worth nothing.
    ///
    /// @param why one sentence for people, without anything of the token's that could be used
    record Refused(TokenFault fault, String why) implements Verification {}
}
