package dev.cagewright.supervisor.counter;

import dev.cagewright.policy.token.Token;
import dev.cagewright.supervisor.token.TokenOffice;

/// The token that a session is under, and the office that makes narrower ones of it. Not a record: its text is a
/// bearer secret. Immutable; whoever made the office closes its key after the session.
public final class HeldToken {
    private final TokenOffice office;
    private final Token token;
    private final byte[] text;
    private final String session;

    /// @param office notes what it does in the session's log
    /// @param token genuine
    /// @param text of it
    /// @param session the session's id
    public HeldToken(TokenOffice office, Token token, byte[] text, String session) {
        this.office = office;
        this.token = token;
        this.text = text.clone();
        this.session = session;
    }

    TokenOffice office() {
        return office;
    }

    Token token() {
        return token;
    }

    byte[] text() {
        return text.clone();
    }

    String session() {
        return session;
    }

    @Override
    public String toString() {
        return "the " + token + " of session " + session;
    }
}
