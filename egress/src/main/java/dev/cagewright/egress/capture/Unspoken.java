package dev.cagewright.egress.capture;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Leaves the values of credentials out of what is kept: a capture is read, copied and sent around by people, and what
/// never was on disk cannot be found there. Names, schemes and the names of cookies stay.
public final class Unspoken {
    /// Stands for a value.
    static final String MARK = "[not kept]";

    /// RFC 9110 section 11.6 and what interfaces use in its place.
    private static final Set<String> CREDENTIALS = Set.of(
            "authorization",
            "proxy-authorization",
            "authentication-info",
            "proxy-authentication-info",
            "x-api-key",
            "api-key",
            "apikey",
            "x-apikey",
            "x-goog-api-key",
            "x-auth-token",
            "x-access-token",
            "x-csrf-token",
            "x-xsrf-token",
            "x-amz-security-token",
            "x-vault-token",
            "x-gitlab-token",
            "private-token",
            "job-token",
            "deploy-token",
            "x-github-token",
            "x-registry-auth",
            "npm-otp",
            "dpop");

    /// Parts of a URL that are as good as a password, by their names in lower case.
    private static final Set<String> PARAMETERS = Set.of(
            "access_token",
            "refresh_token",
            "id_token",
            "client_secret",
            "api_key",
            "apikey",
            "api-key",
            "key",
            "token",
            "auth",
            "password",
            "passwd",
            "secret",
            "sig",
            "signature",
            "x-amz-signature",
            "x-amz-security-token",
            "x-goog-signature");

    private static final Set<String> SCHEMES =
            Set.of("basic", "bearer", "digest", "negotiate", "ntlm", "token", "apikey", "aws4-hmac-sha256", "dpop");

    private Unspoken() {}

    /// The fields as they are kept.
    public static List<Field> fields(Iterable<Map.Entry<String, String>> read) {
        var kept = new ArrayList<Field>();
        read.forEach(field -> kept.add(new Field(field.getKey(), value(field.getKey(), field.getValue()))));
        return kept;
    }

    private static String value(String field, String value) {
        var name = field.toLowerCase(Locale.ROOT);
        return switch (name) {
            case "cookie" -> cookies(value);
            case "set-cookie" -> setCookie(value);
            case "location", "content-location", "referer" -> url(value);
            default -> CREDENTIALS.contains(name) ? credentials(value) : value;
        };
    }

    private static String credentials(String value) {
        int space = value.indexOf(' ');
        var scheme = space < 0 ? "" : value.substring(0, space);
        return SCHEMES.contains(scheme.toLowerCase(Locale.ROOT)) ? scheme + " " + MARK : MARK;
    }

    private static String cookies(String value) {
        var kept = new ArrayList<String>();
        for (String pair : value.split(";", -1)) {
            kept.add(named(pair.strip()));
        }
        return String.join("; ", kept);
    }

    private static String named(String pair) {
        int equals = pair.indexOf('=');
        return equals < 0 ? MARK : pair.substring(0, equals + 1) + MARK;
    }

    private static String setCookie(String value) {
        int end = value.indexOf(';');
        return end < 0 ? named(value) : named(value.substring(0, end)) + value.substring(end);
    }

    /// A URL without what its query, its fragment or a user's name gives away.
    public static String url(String url) {
        var kept = new StringBuilder();
        int from = 0;
        for (int at = 0; at <= url.length(); at++) {
            if (at == url.length() || "?&#;".indexOf(url.charAt(at)) >= 0) {
                kept.append(from == 0 ? withoutUser(url.substring(0, at)) : parameter(url.substring(from, at)));
                if (at < url.length()) {
                    kept.append(url.charAt(at));
                }
                from = at + 1;
            }
        }
        return kept.toString();
    }

    private static String withoutUser(String start) {
        int slashes = start.indexOf("//");
        int end = slashes < 0 ? -1 : start.indexOf('/', slashes + 2);
        int user = start.lastIndexOf('@', end < 0 ? start.length() : end);
        return slashes >= 0 && user > slashes ? start.substring(0, slashes + 2) + start.substring(user + 1) : start;
    }

    private static String parameter(String part) {
        int equals = part.indexOf('=');
        boolean isSecret =
                equals >= 0 && PARAMETERS.contains(part.substring(0, equals).toLowerCase(Locale.ROOT));
        return isSecret ? part.substring(0, equals + 1) + "%5Bnot%20kept%5D" : part;
    }
}
