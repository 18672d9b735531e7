package dev.cagewright.egress.http;

import dev.cagewright.policy.action.ByteString;
import java.util.Locale;

/// A request target as a client writes it that uses a proxy (RFC 9112 section 3.2.2), e.g.
/// `http://api.example.com:8080/v1?x=1`.
///
/// @param scheme `http` or `https`
/// @param pathAndQuery begins with `/`; printable ASCII as it came, not yet in one spelling
public record AbsoluteForm(String scheme, Authority authority, String pathAndQuery) {
    private static final String MARK = "://";

    /// Reads a target.
    ///
    /// @throws BadAuthorityException if it has another scheme, a fragment, user information, or no strict authority
    public static AbsoluteForm parse(String target) throws BadAuthorityException {
        int mark = target.indexOf(MARK);
        var scheme = mark < 0 ? "" : target.substring(0, mark).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw refusal("target", target, "http://HOST/PATH");
        }
        int start = mark + MARK.length();
        int end = start;
        while (end < target.length() && target.charAt(end) != '/' && target.charAt(end) != '?') {
            end++;
        }
        var authority = Authority.parse(target.substring(start, end), scheme.equals("http") ? 80 : 443);
        return new AbsoluteForm(scheme, authority, pathAndQuery(target.substring(end)));
    }

    private static String pathAndQuery(String text) throws BadAuthorityException {
        if (!text.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '#')) {
            throw refusal("target", text, "a path and a query of printable ASCII without a fragment");
        }
        return text.startsWith("/") ? text : "/" + text;
    }

    private static BadAuthorityException refusal(String what, String text, String expected) {
        var shown = text.length() > 200 ? text.substring(0, 200) : text;
        return new BadAuthorityException(what + ": " + ByteString.of(shown) + " (expected: " + expected + ")");
    }
}
