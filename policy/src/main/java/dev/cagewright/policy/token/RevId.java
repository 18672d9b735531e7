package dev.cagewright.policy.token;

import dev.cagewright.policy.quantity.Field;

/// The name of one link of a chain, by which it is revoked: 1 to 64 lower-case letters, digits, `.`, `_` and `-`,
/// beginning with a letter or digit. One spelling only, so that a list of what is revoked cannot miss it by case.
public record RevId(String value) implements Comparable<RevId> {
    private static final int LONGEST = 64;

    public RevId {
        if (!isName(value)) {
            throw Field.refusal(
                    "rev",
                    value.length() > 2 * LONGEST ? value.substring(0, 2 * LONGEST) : value,
                    "1 to 64 of a-z, 0-9, '.', '_' and '-', the first a letter or digit");
        }
    }

    private static boolean isName(String text) {
        if (text.isEmpty() || text.length() > LONGEST || !isPlain(text.charAt(0))) {
            return false;
        }
        return text.chars().allMatch(c -> isPlain(c) || c == '.' || c == '_' || c == '-');
    }

    private static boolean isPlain(int c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    }

    @Override
    public int compareTo(RevId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
