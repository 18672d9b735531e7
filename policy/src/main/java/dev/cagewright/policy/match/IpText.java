package dev.cagewright.policy.match;

import java.util.Arrays;
import java.util.stream.Collectors;

/// IP addresses as text, read the way resolvers read them, without looking anything up and without allocating.
public final class IpText {
    /// Not an address.
    public static final long NONE = -1;

    private IpText() {}

    /// Will a resolver read this host as an IPv4 address? As WHATWG's URL standard has it: the last label is a number,
    /// decimal or `0x` hexadecimal.
    public static boolean looksNumeric(String host) {
        if (!isLastOfNumber(host)) {
            return false;
        }
        int start = host.lastIndexOf('.') + 1;
        if (start == host.length() || host.indexOf(':') >= 0) {
            return false;
        }
        if (host.startsWith("0x", start)) {
            for (int i = start + 2; i < host.length(); i++) {
                if (digit(host.charAt(i), 16) < 0) {
                    return false;
                }
            }
            return true;
        }
        for (int i = start; i < host.length(); i++) {
            if (host.charAt(i) < '0' || host.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    /// Of ASCII; [Character#digit] also takes the digits of other alphabets.
    private static int digit(char c, int radix) {
        return c < 128 ? Character.digit(c, radix) : -1;
    }

    /// Most names end in another letter, and are done with.
    private static boolean isLastOfNumber(String host) {
        char last = host.isEmpty() ? '.' : host.charAt(host.length() - 1);
        return last == 'x' || digit(last, 16) >= 0;
    }

    /// Is this four decimal numbers from 0 to 255 without leading zeros?
    public static boolean isDottedQuad(String host) {
        return isDottedQuad(host, 0, host.length());
    }

    private static boolean isDottedQuad(String text, int from, int to) {
        int parts = 1;
        int value = -1;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c == '.') {
                if (value < 0 || parts == 4) {
                    return false;
                }
                parts++;
                value = -1;
            } else if (c < '0' || c > '9' || value == 0) {
                return false;
            } else {
                value = Math.max(value, 0) * 10 + (c - '0');
                if (value > 255) {
                    return false;
                }
            }
        }
        return parts == 4 && value >= 0;
    }

    /// Is this an address in a spelling that everybody reads alike: a dotted quad, or an IPv6 address?
    public static boolean isCanonical(String host) {
        return host.indexOf(':') >= 0 ? ipv6Group(host, 0) >= 0 : isDottedQuad(host);
    }

    /// The one spelling of an address that [#isCanonical] takes: IPv6 as RFC 5952 section 4 has it, and as a dotted
    /// quad
    /// where it carries an IPv4 address (`::ffff:0:0/96`).
    public static String canonical(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        var groups = new int[8];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = ipv6Group(address, i);
        }
        boolean isMapped = groups[5] == 0xffff && zeros(groups, 0) == 5;
        return isMapped ? quad(groups[6], groups[7]) : text(groups);
    }

    private static String quad(int upper, int lower) {
        return (upper >> 8) + "." + (upper & 0xff) + "." + (lower >> 8) + "." + (lower & 0xff);
    }

    private static String text(int[] groups) {
        int from = 0;
        int length = 1;
        for (int i = 0; i < groups.length; i++) {
            int run = zeros(groups, i);
            if (run > length) {
                from = i;
                length = run;
            }
        }
        return length < 2
                ? hex(groups, 0, groups.length)
                : hex(groups, 0, from) + "::" + hex(groups, from + length, groups.length);
    }

    private static int zeros(int[] groups, int from) {
        int to = from;
        while (to < groups.length && groups[to] == 0) {
            to++;
        }
        return to - from;
    }

    private static String hex(int[] groups, int from, int to) {
        return Arrays.stream(groups, from, to).mapToObj(Integer::toHexString).collect(Collectors.joining(":"));
    }

    /// The IPv4 address in any of the spellings of `inet_aton(3)`: one to four parts, each decimal, octal or
    /// hexadecimal; or [#NONE].
    public static long ipv4(String host) {
        long address = 0;
        int parts = 0;
        int start = 0;
        while (start <= host.length()) {
            int dot = host.indexOf('.', start);
            int end = dot < 0 ? host.length() : dot;
            long part = number(host, start, end);
            boolean isLast = dot < 0;
            long most = isLast ? 0xFFFF_FFFFL >>> (8 * parts) : 255;
            if (part < 0 || part > most || parts == 4) {
                return NONE;
            }
            address |= isLast ? part : part << (24 - 8 * parts);
            if (isLast) {
                return address;
            }
            parts++;
            start = end + 1;
        }
        return NONE;
    }

    private static long number(String text, int from, int to) {
        int radix = 10;
        int start = from;
        if (to - from > 1 && text.charAt(from) == '0') {
            boolean isHex = text.charAt(from + 1) == 'x';
            radix = isHex ? 16 : 8;
            start += isHex ? 2 : 1;
        }
        if (from == to) {
            return NONE;
        }
        long value = 0;
        for (int i = start; i < to; i++) {
            int digit = digit(text.charAt(i), radix);
            if (digit < 0 || value > 0xFFFF_FFFFL) {
                return NONE;
            }
            value = value * radix + digit;
        }
        return value;
    }

    /// Group `wanted` (0 to 7) of an IPv6 address, or [#NONE] if the text is not one. A dotted quad at the end counts
    /// as two groups.
    public static int ipv6Group(String host, int wanted) {
        int gap = host.indexOf("::");
        int before = gap < 0 ? groups(host, 0, host.length()) : groups(host, 0, gap);
        int after = gap < 0 ? 0 : groups(host, gap + 2, host.length());
        boolean fits = gap < 0 ? before == 8 : before + after <= 7;
        if (before < 0 || after < 0 || !fits) {
            return (int) NONE;
        }
        if (wanted < before) {
            return group(host, 0, gap < 0 ? host.length() : gap, wanted);
        }
        int fromEnd = 8 - wanted;
        return fromEnd <= after ? group(host, gap + 2, host.length(), after - fromEnd) : 0;
    }

    private static int groups(String text, int from, int to) {
        if (from == to) {
            return 0;
        }
        int count = 0;
        int start = from;
        while (start <= to) {
            int colon = text.indexOf(':', start);
            int end = colon < 0 || colon > to ? to : colon;
            boolean isQuad = text.indexOf('.', start) >= 0 && text.indexOf('.', start) < end;
            boolean isGood =
                    isQuad ? end == text.length() && isDottedQuad(text, start, end) : isGroup(text, start, end);
            if (!isGood) {
                return (int) NONE;
            }
            count += isQuad ? 2 : 1;
            start = end + 1;
        }
        return count;
    }

    private static boolean isGroup(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (digit(text.charAt(i), 16) < 0) {
                return false;
            }
        }
        return to > from && to - from <= 4;
    }

    private static int group(String text, int from, int to, int wanted) {
        int start = from;
        for (int i = 0; start <= to; i++) {
            int colon = text.indexOf(':', start);
            int end = colon < 0 || colon > to ? to : colon;
            if (text.indexOf('.', start) >= 0 && text.indexOf('.', start) < end) {
                return quadHalf(text, start, end, wanted - i);
            }
            if (i == wanted) {
                return hex(text, start, end);
            }
            start = end + 1;
        }
        return (int) NONE;
    }

    private static int hex(String text, int from, int to) {
        int value = 0;
        for (int i = from; i < to; i++) {
            int digit = digit(text.charAt(i), 16);
            if (digit < 0) {
                return (int) NONE;
            }
            value = value * 16 + digit;
        }
        return value;
    }

    private static int quadHalf(String text, int from, int to, int half) {
        int value = 0;
        int part = 0;
        int byteAt = 0;
        for (int i = from; i <= to; i++) {
            if (i == to || text.charAt(i) == '.') {
                if (byteAt / 2 == half) {
                    value = value * 256 + part;
                }
                byteAt++;
                part = 0;
            } else {
                part = (part * 10 + Math.max(digit(text.charAt(i), 10), 0)) & 0xff;
            }
        }
        return byteAt == 4 ? value : (int) NONE;
    }
}
