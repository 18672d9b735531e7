package dev.cagewright.supervisor.grant;

import dev.cagewright.policy.grant.Opening;
import dev.cagewright.policy.quantity.Field;
import java.time.Duration;
import java.util.List;

/// What a program in a cage asks for.
///
/// @param opening the requests
/// @param why in its own words, at most [#LONGEST_WHY] characters; never trusted, never shown as it stands
/// @param time how long, more than nothing and at most [#LONGEST]
public record GrantRequest(Opening opening, String why, Duration time) {
    /// The most characters of a reason.
    public static final int LONGEST_WHY = 500;

    /// The longest that anything is granted for.
    public static final Duration LONGEST = Duration.ofDays(1);

    /// How long, where nobody says.
    public static final Duration USUAL = Duration.ofHours(1);

    public GrantRequest {
        if (why.isBlank() || why.length() > LONGEST_WHY) {
            throw new IllegalArgumentException("why: " + why.length()
                    + " characters (expected: a reason in words, at most " + LONGEST_WHY + " characters)");
        }
        if (time.toMillis() < 1 || time.compareTo(LONGEST) > 0) {
            throw Field.refusal("for", time.toString(), "more than nothing, at most 24h");
        }
    }

    /// Reads a request.
    ///
    /// @param ports [Opening#USUAL_PORTS] where nobody says
    /// @param methods [Opening#USUAL_METHODS] where nobody says
    /// @param paths patterns as in policies; [Opening#USUAL_PATHS] where nobody says
    /// @throws IllegalArgumentException naming what is wrong and what is accepted
    public static GrantRequest of(
            String host, List<Integer> ports, List<String> methods, List<String> paths, Reason reason) {
        return new GrantRequest(Opening.parse(host, ports, methods, paths), reason.why(), reason.time());
    }

    /// Why, and for how long.
    public record Reason(String why, Duration time) {}
}
