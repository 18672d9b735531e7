package dev.cagewright.egress.http;

import io.netty.handler.codec.http.HttpHeaders;

/// One line of a head or of trailers, RFC 9110 section 5 and RFC 9112 section 5, without what those allow for
/// the sake of the past: no line that goes on in the next, no blank before the colon, no control character.
public final class FieldLine {
    private FieldLine() {}

    /// Reads `line` into `fields`.
    static void read(String line, HttpHeaders fields) throws MalformedException {
        int colon = line.indexOf(':');
        if (line.charAt(0) == ' ' || line.charAt(0) == '\t') {
            throw new MalformedException("a header field goes on in a second line");
        }
        if (colon < 1 || !isToken(line.substring(0, colon))) {
            throw new MalformedException("a header field has no proper name");
        }
        var value = trimmed(line.substring(colon + 1));
        if (!isValue(value)) {
            throw new MalformedException("a header field has a control character in its value");
        }
        fields.add(line.substring(0, colon), value);
    }

    /// Optional white space is blanks and tabs, nothing else.
    public static String trimmed(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isBlank(text.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /// RFC 9110 section 5.6.2.
    public static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isTokenChar(text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /// RFC 9110 section 5.6.2.
    static boolean isTokenChar(int c) {
        return (c >= '0' && c <= '9')
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
    }

    /// Is all of it visible, blank, tab, or of a line in Latin-1?
    static boolean isValue(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isOfValue(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /// Visible, blank, tab, or of a line in Latin-1.
    public static boolean isOfValue(int c) {
        return c == '\t' || (c >= ' ' && c != 0x7f);
    }
}
