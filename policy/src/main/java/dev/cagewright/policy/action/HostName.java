package dev.cagewright.policy.action;

import java.util.Locale;

/// A host as one spelling: ASCII, lower case, no trailing dot; a DNS name, or an IP literal as its
/// author wrote it. Text in other alphabets must arrive as A-labels (RFC 5891).
public record HostName(String value) {
    private static final int MAX_NAME = 253;
    private static final int MAX_LABEL = 63;

    public HostName {
        // Before folding: some letters of other alphabets have one of ours in lower case, e.g. the Kelvin sign.
        boolean isAscii = value.chars().allMatch(c -> c < 128);
        value = fold(value);
        if (!isAscii || value.isEmpty() || value.length() > MAX_NAME || !hasGoodLabels(value)) {
            throw new IllegalArgumentException("host: " + ByteString.of(value)
                    + " (expected: a DNS name of letters, digits, '-' and '_', or an IP address)");
        }
    }

    private static String fold(String text) {
        var lower = text.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    private static boolean hasGoodLabels(String value) {
        if (value.indexOf(':') >= 0) {
            return value.chars().allMatch(c -> c == ':' || c == '.' || (c < 128 && Character.digit(c, 16) >= 0));
        }
        for (String label : value.split("\\.", -1)) {
            if (label.isEmpty() || label.length() > MAX_LABEL || !label.chars().allMatch(HostName::isLabelChar)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLabelChar(int c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    }

    @Override
    public String toString() {
        return value;
    }
}
