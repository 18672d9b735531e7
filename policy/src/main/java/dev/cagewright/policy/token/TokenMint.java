package dev.cagewright.policy.token;

import java.util.ArrayList;
import java.util.List;

/// Where tokens are made, with the host's key. Safe for all threads.
public final class TokenMint {
    private final TokenKey key;
    private final TokenVerifier verifier;

    /// @param verifier with the same key; nothing is delegated from what it refuses
    public TokenMint(TokenKey key, TokenVerifier verifier) {
        this.key = key;
        this.verifier = verifier;
    }

    /// Makes a root.
    ///
    /// @return its text, a bearer secret, with a line end
    public byte[] mint(Link root) {
        return signed(new Token(key.id(), List.of(root)));
    }

    /// Hands a part of what `parent` grants on, as a child of it.
    ///
    /// @param parent the text of a token
    /// @param child an axis that it says nothing about it grants nothing on
    /// @return the child's text, a bearer secret, with a line end
    /// @throws RefusedTokenException if the parent is refused, or `child` cannot be shown to be narrower
    public byte[] attenuate(byte[] parent, Link child) throws RefusedTokenException {
        var token = switch (verifier.verify(parent)) {
            case Verification.Genuine(Token genuine) -> genuine;
            case Verification.Refused refused -> throw new RefusedTokenException(refused);
        };
        Narrowing.require(token, child);
        var links = new ArrayList<>(token.links());
        links.add(child);
        return signed(new Token(key.id(), links));
    }

    private byte[] signed(Token token) {
        var signed = Payload.write(token);
        var text = new TokenText(signed, key.tag(TokenKey.Purpose.TOKEN, signed)).joined();
        if (text.length > TokenText.LONGEST) {
            throw new IllegalArgumentException("token: " + text.length + " bytes (expected: at most "
                    + TokenText.LONGEST + "; name fewer or shorter entries)");
        }
        return text;
    }
}
