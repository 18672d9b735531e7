package dev.cagewright.egress.inspect;

import java.util.regex.Pattern;

/// Something that an inspector saw. It says what kind of thing, never what it was.
///
/// @param kind a word for records: small letters, digits, `_`, `-` and `.`, at most 64
/// @param at where it stands in the body; 0 in a head
public record Sighting(Severity severity, String kind, long at) {
    private static final Pattern KIND = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,63}");

    /// What follows from it.
    public enum Severity {
        FLAG,
        BLOCK
    }

    public Sighting {
        if (!KIND.matcher(kind).matches()) {
            throw new IllegalArgumentException("kind: a word of another form (expected: " + KIND + ")");
        }
    }
}
