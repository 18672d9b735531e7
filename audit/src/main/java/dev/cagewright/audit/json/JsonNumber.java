package dev.cagewright.audit.json;

/// A JSON number by its text, so that `1`, `1.0`, `-0` and `1e400` stay what they were.
///
/// @param text matches the grammar of RFC 8259, section 6
public record JsonNumber(String text) implements JsonValue {
    /// The longest text of a number that is accepted, in characters.
    static final int MAX_LENGTH = 1024;

    public JsonNumber {
        if (!isNumber(text)) {
            throw new IllegalArgumentException("number: \"" + text + "\" (expected: a JSON number)");
        }
    }

    public static JsonNumber of(long value) {
        return new JsonNumber(Long.toString(value));
    }

    /// The value, if it is an integer without fraction or exponent that a `long` holds.
    ///
    /// @throws ArithmeticException otherwise
    public long asLong() {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            var wrong = new ArithmeticException("number: " + text + " (expected: a whole number of 64 bits)");
            wrong.initCause(e);
            throw wrong;
        }
    }

    private static boolean isNumber(String text) {
        if (text.length() > MAX_LENGTH) {
            return false;
        }
        int at = text.startsWith("-") ? 1 : 0;
        int whole = digits(text, at);
        if (whole == at || (text.charAt(at) == '0' && whole > at + 1)) {
            return false;
        }
        at = whole;
        if (at < text.length() && text.charAt(at) == '.') {
            int fraction = digits(text, at + 1);
            if (fraction == at + 1) {
                return false;
            }
            at = fraction;
        }
        return at == text.length() || isExponent(text, at);
    }

    private static boolean isExponent(String text, int from) {
        if (text.charAt(from) != 'e' && text.charAt(from) != 'E') {
            return false;
        }
        int at = from + 1;
        if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
            at++;
        }
        int end = digits(text, at);
        return end > at && end == text.length();
    }

    private static int digits(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at;
    }
}
