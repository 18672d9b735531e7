package dev.cagewright.policy.action;

import java.util.ArrayList;

/// The path of an HTTP request in its one spelling, so that a rule and a server cannot read it differently.
///
/// Visible ASCII only. `%XX` is decoded once where the character is visible ASCII and means nothing to a parser of
/// URLs; `%25`, `%2F`, `%5C`, `%3F`, `%23` and everything that is not visible ASCII stay encoded, with upper-case
/// digits, so an encoded slash never becomes a separator and reading the result again changes nothing. `.` and
/// `..` are resolved, spelt either way (RFC 3986, 5.2.4). Empty segments are kept.
///
/// Whoever sends the request sends this spelling.
public record RequestPath(String value) {
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();
    private static final String KEPT_ENCODED = "%/\\?#";
    private static final int MAX_LENGTH = 65_536;

    public RequestPath {
        value = canonical(value);
    }

    /// The one spelling of `text`.
    ///
    /// @throws IllegalArgumentException if `text` does not start with `/`, has a query, a control character, a raw
    ///     backslash or a broken escape, leads above the root, is longer than 64 KiB, or has dots that some servers
    ///     resolve and others do not: `..;`, `..%2F`, `%252e%252e/`
    public static String canonical(String text) {
        if (!text.startsWith("/") || text.length() > MAX_LENGTH) {
            throw refusal(text, "absolute, at most 64 KiB");
        }
        if (isPlain(text)) {
            return text;
        }
        var canonical = resolveDots(text, decodeOnce(text));
        if (LaxReading.hasDots(canonical)) {
            throw refusal(text, "no dot segment beside an encoded separator or within a second escape");
        }
        return canonical;
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '%' || c == '.' || KEPT_ENCODED.indexOf(c) > 1) {
                return false;
            }
        }
        return true;
    }

    private static String decodeOnce(String text) {
        var out = new StringBuilder(text.length());
        for (byte b : ByteString.of(text).toByteArray()) {
            out.append((char) (b & 0xff));
        }
        var decoded = new StringBuilder(out.length());
        for (int i = 0; i < out.length(); i++) {
            char c = out.charAt(i);
            if (c == '%') {
                appendEscape(decoded, escaped(text, out, i));
                i += 2;
            } else if (c < ' ' || c == 0x7f || c == '\\' || c == '?' || c == '#') {
                throw refusal(text, "no query, fragment, backslash or control character");
            } else {
                appendRaw(decoded, c);
            }
        }
        return decoded.toString();
    }

    private static int escaped(String text, CharSequence bytes, int at) {
        int high = at + 2 < bytes.length() ? hex(bytes.charAt(at + 1)) : -1;
        int low = at + 2 < bytes.length() ? hex(bytes.charAt(at + 2)) : -1;
        if (high < 0 || low < 0) {
            throw refusal(text, "two hexadecimal digits behind '%'");
        }
        int code = high * 16 + low;
        if (code < ' ' || code == 0x7f) {
            throw refusal(text, "no control character");
        }
        return code;
    }

    private static int hex(char c) {
        return c < 0x80 ? Character.digit(c, 16) : -1;
    }

    private static void appendEscape(StringBuilder out, int code) {
        if (KEPT_ENCODED.indexOf(code) >= 0) {
            out.append('%').append(HEX[code >> 4]).append(HEX[code & 15]);
        } else {
            appendRaw(out, (char) code);
        }
    }

    private static void appendRaw(StringBuilder out, char c) {
        if (c > ' ' && c < 0x7f) {
            out.append(c);
        } else {
            out.append('%').append(HEX[c >> 4]).append(HEX[c & 15]);
        }
    }

    private static String resolveDots(String text, String decoded) {
        var names = new ArrayList<String>();
        boolean hadDots = false;
        boolean endsInDots = false;
        for (String name : decoded.substring(1).split("/", -1)) {
            requireNoParameterOnDots(text, name);
            endsInDots = name.equals(".") || name.equals("..");
            hadDots |= endsInDots;
            if (name.equals("..")) {
                if (names.isEmpty()) {
                    throw refusal(text, "no '..' above the root");
                }
                names.removeLast();
            } else if (!name.equals(".")) {
                names.addLast(name);
            }
        }
        if (hadDots && decoded.contains("//")) {
            throw refusal(text, "dot segments or empty segments, not both");
        }
        if (endsInDots) {
            names.addLast("");
        }
        return "/" + String.join("/", names);
    }

    /// Some servers cut `;...` off a segment before they resolve dots.
    private static void requireNoParameterOnDots(String text, String name) {
        if (name.startsWith(".;") || name.startsWith("..;")) {
            throw refusal(text, "no ';' behind dots");
        }
    }

    private static IllegalArgumentException refusal(String text, String expected) {
        var shown = text.length() > 200 ? text.substring(0, 200) + "..." : text;
        return new IllegalArgumentException(
                "path: " + ByteString.of(shown).printable() + " (expected: " + expected + ")");
    }

    @Override
    public String toString() {
        return value;
    }
}
