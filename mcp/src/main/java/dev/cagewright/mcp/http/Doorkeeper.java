package dev.cagewright.mcp.http;

import dev.cagewright.supervisor.hatch.HatchAnswer;
import dev.cagewright.supervisor.hatch.HatchRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Looks at who asks before anything is read of what they ask. A page of another site that a browser shows can reach
/// loopback by a name that its owner makes point there; it cannot hide that name, nor its own, nor know the token.
///
/// @param port that a client has to have named; empty where there is none
/// @param token that a client has to bring; empty where the kernel says who it is
record Doorkeeper(OptionalInt port, Optional<String> token) {
    private static final Pattern PLACE = Pattern.compile("(?:127\\.0\\.0\\.1|localhost|\\[::1])(?::([0-9]{1,5}))?");
    private static final String SCHEME = "http://";
    private static final String BEARER = "bearer ";

    /// What `request` is refused with; empty if it is let in.
    Optional<HatchAnswer> refusal(HatchRequest request) {
        var origin = request.field("origin");
        if (!isHere(request.field("host").orElse(""))
                || origin.filter(from -> !isOrigin(from)).isPresent()) {
            return Optional.of(HatchAnswer.problem(
                    403, "mcp:place", "this is asked for at another place, or by the page of another"));
        }
        if (!request.path().equals(HttpDoor.PATH)) {
            return Optional.of(HatchAnswer.problem(404, "mcp:path", "there is only " + HttpDoor.PATH + " here"));
        }
        if (token.isPresent() && !brings(request, token.get())) {
            return Optional.of(
                    HatchAnswer.problem(401, "mcp:token", "the token is missing or wrong (Authorization: Bearer TOKEN)")
                            .with("WWW-Authenticate", "Bearer"));
        }
        return Optional.empty();
    }

    private boolean isOrigin(String origin) {
        return origin.startsWith(SCHEME) && isHere(origin.substring(SCHEME.length()));
    }

    private boolean isHere(String place) {
        Matcher named = PLACE.matcher(place.toLowerCase(Locale.ROOT));
        if (!named.matches()) {
            return false;
        }
        var number = Optional.ofNullable(named.group(1)).map(Integer::parseInt).orElse(80);
        return port.isEmpty() || port.getAsInt() == number;
    }

    private static boolean brings(HatchRequest request, String token) {
        var given = request.field("authorization").orElse("");
        return given.toLowerCase(Locale.ROOT).startsWith(BEARER)
                && MessageDigest.isEqual(
                        given.substring(BEARER.length()).strip().getBytes(StandardCharsets.UTF_8),
                        token.getBytes(StandardCharsets.UTF_8));
    }
}
