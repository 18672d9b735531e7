package dev.cagewright.policy.quantity;

/// Whole numbers as policy files may spell them: ASCII digits, no sign, no leading zero.
final class Digits {
    private Digits() {}

    /// Reads one of the accepted spellings.
    ///
    /// @return the value, or -1 if `text` is spelt otherwise or does not fit
    static long parseOrNegative(String text) {
        if (text.isEmpty() || text.length() > 19 || (text.length() > 1 && text.charAt(0) == '0')) {
            return -1;
        }
        long value = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    static long between(String field, String text, long least, long most) {
        long value = parseOrNegative(text);
        if (value < least || value > most) {
            throw Field.refusal(field, text, "a whole number from " + least + " to " + most + readings(text));
        }
        return value;
    }

    /// What loaders disagree about: `022` is 22 or 18, `22:22` text or 1342, `1e5` 100000 or text.
    private static String readings(String text) {
        if (text.matches("0[0-7]{1,10}")) {
            return "; " + text + " could mean " + Long.parseLong(text) + " or octal " + Long.parseLong(text, 8)
                    + ": write it without the leading zero";
        }
        if (text.matches("[0-9]{1,6}:[0-5]?[0-9]")) {
            int colon = text.indexOf(':');
            long sexagesimal =
                    Long.parseLong(text.substring(0, colon)) * 60 + Long.parseLong(text.substring(colon + 1));
            return "; " + text + " could mean two numbers or " + sexagesimal + " in base 60";
        }
        if (text.matches("[0-9]+(\\.[0-9]+)?[eE][+-]?[0-9]+")) {
            return "; " + text + " could mean a power of ten or text: write all digits";
        }
        if (text.matches("0[xo][0-9A-Fa-f]+")) {
            return "; " + text + " is not decimal";
        }
        return "";
    }
}
