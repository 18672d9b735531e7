package dev.cagewright.policy.document;

import dev.cagewright.policy.quantity.Field;
import java.util.Locale;

/// What a denial does beyond being one, mildest first; the order is the order of strictness.
public enum Mode {
    /// Recorded with high severity; `net.mode: observe` may let unlisted hosts through.
    OBSERVE,
    /// Blocked.
    ENFORCE,
    /// Blocked, and an attempt to go around the cage freezes or ends the run.
    LOCKDOWN;

    /// Reads one of the accepted spellings.
    ///
    /// @throws IllegalArgumentException naming `field` and the accepted names
    public static Mode parse(String field, String text) {
        return switch (text) {
            case "observe" -> OBSERVE;
            case "enforce" -> ENFORCE;
            case "lockdown" -> LOCKDOWN;
            default -> throw Field.refusal(field, text, "observe, enforce or lockdown");
        };
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
