package dev.cagewright.policy.action;

import java.util.Locale;

/// A host as one spelling: ASCII, lower case, no trailing dot; a DNS name, or an IP literal as its
/// author wrote it. Text in other alphabets must arrive as A-labels (RFC 5891).
public record HostName(String value) {
    private static final int MAX_NAME = 253;
    private static final int MAX_LABEL = 63;

    public HostName {
        // Before folding: some letters of other alphabets have one of ours in lower case, e.g. the Kelvin sign.
        boolean isAscii = isAscii(value);
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
        int start = 0;
        for (int i = 0; i <= value.length(); i++) {
            if (i == value.length() || value.charAt(i) == '.') {
                if (i == start || i - start > MAX_LABEL) {
                    return false;
                }
                start = i + 1;
            } else if (!isLabelChar(value.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 128) {
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
