package dev.cagewright.policy.token;

import dev.cagewright.policy.token.right.Rights;
import java.util.Optional;

/// One step of a chain: the root, which the host minted, or what somebody handed on.
///
/// @param issuer who minted it, for people; of the root only
/// @param issued when, in seconds of Unix time
/// @param expires the first second at which it is over
public record Link(RevId rev, Optional<String> issuer, long issued, long expires, Rights rights) {
    /// 9999-12-31T23:59:59Z: a number above is no count of seconds.
    public static final long LATEST = 253_402_300_799L;

    public Link {
        if (issued < 0 || issued > LATEST || expires > LATEST) {
            throw new IllegalArgumentException(
                    "time: " + issued + ", " + expires + " (expected: seconds since 1970, at most " + LATEST + ")");
        }
        if (expires <= issued) {
            throw new IllegalArgumentException("expires: " + expires + " (expected: later than " + issued + ")");
        }
        if (!issuer.map(Link::isIssuer).orElse(true)) {
            throw new IllegalArgumentException("issuer: (expected: 1 to 64 letters, digits, '.', '_', '-' and '@')");
        }
    }

    private static boolean isIssuer(String text) {
        return !text.isEmpty()
                && text.length() <= 64
                && text.chars().allMatch(c -> c < 0x80 && (Character.isLetterOrDigit(c) || "._-@".indexOf(c) >= 0));
    }
}
