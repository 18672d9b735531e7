package dev.cagewright.policy.token;

import java.util.Optional;

/// What a text claims to be a token of, for showing to people who have no key. Nobody has vouched for any of it, so
/// nothing may be decided by it.
public record UnverifiedToken(Token claimed) {
    /// Empty if it is not spelt like a token at all.
    public static Optional<UnverifiedToken> read(byte[] presented) {
        if (presented.length > TokenText.LONGEST) {
            return Optional.empty();
        }
        try {
            return TokenText.split(presented).map(text -> new UnverifiedToken(Payload.read(text.signed())));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
