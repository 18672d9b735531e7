package dev.cagewright.policy.mcp;

import dev.cagewright.policy.quantity.Field;
import java.util.Comparator;

/// The name of a tool or a server as an entry of `mcp.tools` has it: exact, or with one `*` for any characters, none
/// included. Letter for letter: case and accents count.
///
/// @param prefix what stands before the `*`, or the whole name
/// @param suffix what stands behind it; empty for an exact name
/// @param kind whether there is a `*`
public record NamePattern(String prefix, String suffix, Kind kind) {
    /// The longest name there is, in characters.
    public static final int LONGEST = 256;

    /// Every name.
    public static final NamePattern ANY = new NamePattern("", "", Kind.PATTERN);

    /// More specific ones first: exact names, then by what stands before the `*`, then by what stands behind it.
    public static final Comparator<NamePattern> MOST_SPECIFIC = Comparator.comparing(NamePattern::kind)
            .thenComparing(Comparator.comparingInt((NamePattern pattern) -> pattern.prefix.length())
                    .reversed())
            .thenComparing(Comparator.comparingInt((NamePattern pattern) -> pattern.suffix.length())
                    .reversed());

    /// Whether a pattern names one thing.
    public enum Kind {
        EXACT,
        PATTERN
    }

    /// Reads a name or pattern.
    ///
    /// @throws IllegalArgumentException naming `field` and the accepted forms
    public static NamePattern parse(String field, String text) {
        int star = text.indexOf('*');
        boolean isRight = isName(text) && (star < 0 || text.indexOf('*', star + 1) < 0);
        if (!isRight) {
            throw Field.refusal(
                    field,
                    text,
                    "a name of 1 to " + LONGEST
                            + " visible characters, with one * at most, such as read_file or get_*");
        }
        return star < 0
                ? new NamePattern(text, "", Kind.EXACT)
                : new NamePattern(text.substring(0, star), text.substring(star + 1), Kind.PATTERN);
    }

    /// Can it be the name of a tool or a server at all? Nothing that a person cannot see, and no blank at an end.
    public static boolean isName(String text) {
        return !text.isEmpty() && text.length() <= LONGEST && text.equals(text.strip()) && !Field.hasControl(text);
    }

    /// Can a policy name it, and nothing else by that?
    public static boolean isNameable(String text) {
        return isName(text) && text.indexOf('*') < 0;
    }

    public boolean matches(String name) {
        return kind == Kind.EXACT
                ? name.equals(prefix)
                : name.length() >= prefix.length() + suffix.length()
                        && name.startsWith(prefix)
                        && name.endsWith(suffix);
    }

    /// Does it match whatever `other` does?
    public boolean covers(NamePattern other) {
        return switch (other.kind) {
            case EXACT -> matches(other.prefix);
            case PATTERN -> kind == Kind.PATTERN && other.prefix.startsWith(prefix) && other.suffix.endsWith(suffix);
        };
    }

    @Override
    public String toString() {
        return kind == Kind.EXACT ? prefix : prefix + "*" + suffix;
    }
}
