package dev.cagewright.policy.document;

import dev.cagewright.policy.quantity.Field;
/// The name of a cage: 1 to 63 ASCII letters, digits, `.`, `_` and `-`, the first a letter or digit.

public record CageName(String value) {
    public CageName {
        if (!value.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
            throw Field.refusal(
                    "tool", value, "1 to 63 letters, digits, '.', '_' and '-', the first a letter or digit");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
