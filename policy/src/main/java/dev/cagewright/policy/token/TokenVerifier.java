package dev.cagewright.policy.token;

import java.util.Optional;
import java.util.function.LongSupplier;

/// Where tokens are verified: the only place, for whatever they are presented to. Immutable and safe for all threads,
/// as long as its key is not closed.
///
/// Size first, then spelling, then the tag over the bytes as they came, and only then their meaning; then the time,
/// then what is revoked.
public final class TokenVerifier {
    /// How far two clocks may be apart, in seconds, either way.
    public static final long SKEW = 30;

    private static final int LONGEST_WHY = 600;

    private final TokenKey key;
    private final Revocations revocations;
    private final LongSupplier clock;

    /// @param clock seconds of Unix time
    public TokenVerifier(TokenKey key, Revocations revocations, LongSupplier clock) {
        this.key = key;
        this.revocations = revocations;
        this.clock = clock;
    }

    /// Says whether `presented` is a token that holds now.
    ///
    /// @param presented its text as it came, of any length and content
    public Verification verify(byte[] presented) {
        var read = read(presented);
        if (read instanceof Verification.Genuine(Token token)) {
            return fault(token).<Verification>map(refused -> refused).orElse(read);
        }
        return read;
    }

    /// Says whether `presented` is a token of this key at all, be it over or revoked.
    public Verification read(byte[] presented) {
        if (presented.length > TokenText.LONGEST) {
            return refused(
                    TokenFault.TOO_LARGE,
                    "the token is larger than " + TokenText.LONGEST + " bytes, and nothing of it was read");
        }
        var text = TokenText.split(presented);
        if (text.isEmpty()) {
            return refused(
                    TokenFault.MALFORMED, "this is no token: it does not read cwt1., what was signed, and a tag");
        }
        var signed = text.get().signed();
        var tag = text.get().tag();
        if (tag.length != TokenKey.LENGTH) {
            return refused(
                    TokenFault.MALFORMED,
                    "the token's tag has " + tag.length + " bytes (expected: " + TokenKey.LENGTH + ")");
        }
        if (!key.isTagOf(TokenKey.Purpose.TOKEN, signed, tag)) {
            return Diagnosis.of(signed, key);
        }
        try {
            return new Verification.Genuine(Payload.read(signed));
        } catch (IllegalArgumentException e) {
            return refused(TokenFault.MALFORMED, "what was signed is no token: " + e.getMessage());
        }
    }

    /// What is against a genuine token now, by time or by revocation; empty when nothing is.
    public Optional<Verification.Refused> fault(Token token) {
        long now = clock.getAsLong();
        if (now >= token.expires() + SKEW) {
            return Optional.of(refused(
                    TokenFault.EXPIRED, "the token " + token.head().rev() + " expired " + ago(now - token.expires())));
        }
        if (now < token.issued() - SKEW) {
            return Optional.of(refused(
                    TokenFault.NOT_YET,
                    "the token " + token.head().rev() + " was made in what is the future for this machine's clock"));
        }
        return revoked(token);
    }

    private Optional<Verification.Refused> revoked(Token token) {
        try {
            return revocations.firstOf(token.lineage()).map(rev -> revoked(token, rev));
        } catch (UnknownRevocationsException e) {
            return Optional.of(refused(
                    e.fault(),
                    e.fault() == TokenFault.REVOCATIONS_UNKNOWN
                            ? "it cannot be known whether the token is revoked: " + e.getMessage()
                            : String.valueOf(e.getMessage())));
        }
    }

    private static Verification.Refused revoked(Token token, RevId rev) {
        var head = token.head().rev();
        return rev.equals(head)
                ? refused(TokenFault.REVOKED, "the token " + head + " is revoked")
                : refused(
                        TokenFault.REVOKED_ANCESTOR,
                        "the token " + head + " was delegated from " + rev + ", which is revoked");
    }

    private static String ago(long seconds) {
        return seconds < 120 ? seconds + " s ago" : seconds / 60 + " min ago";
    }

    private static Verification.Refused refused(TokenFault fault, String why) {
        var shown = why.length() > LONGEST_WHY ? why.substring(0, LONGEST_WHY) + "..." : why;
        return new Verification.Refused(fault, shown);
    }
}
