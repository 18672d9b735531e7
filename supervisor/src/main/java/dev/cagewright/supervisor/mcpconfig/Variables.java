package dev.cagewright.supervisor.mcpconfig;

import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Puts values in the place of the variables that a client's file may name: `${NAME}`, and `${NAME:-DEFAULT}` where
/// there may be none. With `%` for `$` they mean the same, and clients leave them as they are.
///
/// @param values by name
public record Variables(Function<String, Optional<String>> values) {
    private static final Pattern VARIABLE = Pattern.compile("[$%]\\{([A-Za-z_][A-Za-z0-9_.-]*?)(?::-([^}]*))?}");

    /// `text` with the values.
    ///
    /// @param where it stands, for the message
    /// @throws IllegalArgumentException if a variable has no value; names it
    public String in(String where, String text) {
        return VARIABLE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(value(where, found)));
    }

    private String value(String where, MatchResult found) {
        var name = found.group(1);
        return values.apply(name)
                .or(() -> Optional.ofNullable(found.group(2)))
                .orElseThrow(() -> new IllegalArgumentException(where + ": ${" + name
                        + "} has no value (expected: a variable that is set, or a secret that the policy lends where it"
                        + " may be one; ${" + name + ":-DEFAULT} does without)"));
    }

    /// `text` with variables that clients leave as they are.
    static String kept(String text) {
        return VARIABLE.matcher(text)
                .replaceAll(
                        found -> Matcher.quoteReplacement("%" + found.group().substring(1)));
    }

    /// Is there any in it?
    static boolean isIn(String text) {
        return VARIABLE.matcher(text).find();
    }
}
